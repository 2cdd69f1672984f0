import { join } from 'node:path'

import type { Sender } from '../../sender.ts'
import { vercelCases } from '../vercel-cases.ts'

/** Vercel's AI SDK 6. */
export const vercelAi6: Sender = {
  name: 'vercel-ai-6',
  folder: import.meta.dirname,
  program: join(import.meta.dirname, '../vercel-ai-7/program.ts'),
  runtime: 'node',
  packages: ['ai', '@ai-sdk/openai', '@opentelemetry/sdk-node'],
  cases: vercelCases('6'),
}
