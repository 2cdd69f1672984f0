import { join } from 'node:path'

import type { Sender } from '../sender.ts'
import { providerCases, type Lacks } from './provider-cases.ts'

/** A version of Vercel's AI SDK with several providers. */
export function vercelModels(version: string, folder: string, lacks: Lacks = {}): Sender {
  // Without credentials for Vertex AI, version 4 looks for them on other machines.
  const vertex = version === '4' ? [] : ['vertex']
  const providers = ['anthropic', 'bedrock', 'gemini', ...vertex, 'azure']
  return {
    name: `vercel-models-${version}`,
    folder,
    program: join(import.meta.dirname, 'vercel-models-7/program.ts'),
    runtime: 'node',
    packages: ['ai', '@ai-sdk/anthropic', '@ai-sdk/amazon-bedrock', '@ai-sdk/google'],
    cases: providerCases(providers, { mode: version, lacks }),
  }
}
