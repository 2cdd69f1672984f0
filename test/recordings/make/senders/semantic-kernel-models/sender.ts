import type { Sender } from '../../sender.ts'
import { providerCases } from '../provider-cases.ts'

const noDetails = { cached_tokens: 'not sent', reasoning_tokens: 'not sent' }
const noTokens = { input_tokens: 'not sent', output_tokens: 'not sent' }
const noCaches = { input_tokens: 'without the tokens of caches' }
const noThoughts = { output_tokens: 'without thoughts' }
const lacks = {
  all: noDetails,
  anthropic: noTokens,
  'anthropic-stream': noTokens,
  bedrock: noCaches,
  'bedrock-stream': noCaches,
  gemini: noThoughts,
  'gemini-stream': noThoughts,
}

/** Semantic Kernel with several providers, and its messages in log records. */
export const semanticKernelModels: Sender = {
  name: 'semantic-kernel-models',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['semantic-kernel', 'anthropic', 'boto3', 'ollama', 'openai'],
  defaults: {
    env: {
      ANTHROPIC_OPEN_TELEMETRY: 'false',
      SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS_SENSITIVE: 'true',
    },
    expected: { kinds: ['agent', 'model'] },
  },
  cases: providerCases(['anthropic', 'bedrock', 'gemini', 'ollama'], {
    mode: 'semantic-kernel',
    lacks,
  }),
}
