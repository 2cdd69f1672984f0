import { join } from 'node:path'

import type { Sender } from '../../sender.ts'
import { vercelCases } from '../vercel-cases.ts'

/** Vercel's AI SDK 5. */
export const vercelAi5: Sender = {
  name: 'vercel-ai-5',
  folder: import.meta.dirname,
  program: join(import.meta.dirname, '../vercel-ai-7/program.ts'),
  runtime: 'node',
  packages: ['ai', '@ai-sdk/openai', '@opentelemetry/sdk-node'],
  defaults: {
    notSent: { cached_tokens: 'streamText, or version 6', reasoning_tokens: 'as cached_tokens' },
  },
  cases: vercelCases('5'),
}
