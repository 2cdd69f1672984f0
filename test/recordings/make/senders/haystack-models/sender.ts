import type { Sender } from '../../sender.ts'
import { providerCases } from '../provider-cases.ts'

/** Haystack's agent with the generators of several providers, and OpenInference. */
export const haystackModels: Sender = {
  name: 'haystack-models',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: [
    'haystack-ai',
    'openinference-instrumentation-haystack',
    'anthropic-haystack',
    'amazon-bedrock-haystack',
    'google-genai-haystack',
    'ollama-haystack',
  ],
  defaults: {
    env: { ANTHROPIC_OPEN_TELEMETRY: 'false' },
    expected: { kinds: ['chain', 'model'] },
  },
  cases: providerCases(['anthropic', 'bedrock', 'gemini', 'azure', 'ollama'], {
    mode: 'haystack',
  }),
}
