import type { Sender } from '../../sender.ts'
import { providerCases } from '../provider-cases.ts'

/** Mastra with several providers. */
export const mastraModels: Sender = {
  name: 'mastra-models',
  folder: import.meta.dirname,
  runtime: 'node',
  packages: [
    '@mastra/core',
    '@mastra/observability',
    '@mastra/otel-exporter',
    '@ai-sdk/anthropic',
    '@ai-sdk/amazon-bedrock',
    '@ai-sdk/google',
  ],
  defaults: { expected: { kinds: ['agent', 'model'] } },
  cases: providerCases(['anthropic', 'bedrock', 'gemini', 'vertex', 'azure'], { mode: 'mastra' }),
}
