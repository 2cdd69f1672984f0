import type { Sender } from '../../sender.ts'
import { providerCases } from '../provider-cases.ts'

const version = { models: 'the version that answered' }
const noThoughts = { output_tokens: 'without thoughts' }
const lacks = {
  all: { reasoning_tokens: 'not sent' },
  azure: version,
  'azure-stream': version,
  gemini: noThoughts,
  'gemini-stream': noThoughts,
}

/** Agno with several providers, and OpenInference. */
export const agnoModels: Sender = {
  name: 'agno-models',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['openinference-instrumentation-agno', 'agno', 'anthropic', 'boto3', 'google-genai'],
  defaults: {
    env: { ANTHROPIC_OPEN_TELEMETRY: 'false' },
    expected: { kinds: ['agent', 'model'] },
  },
  cases: providerCases(['anthropic', 'bedrock', 'gemini', 'azure', 'ollama'], {
    mode: 'agno',
    lacks,
  }),
}
