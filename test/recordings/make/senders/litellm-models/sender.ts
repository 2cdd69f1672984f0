import type { Sender } from '../../sender.ts'
import { providerCases } from '../provider-cases.ts'

const withProvider = { models: 'the name without that of the provider' }

/** LiteLLM's own spans with several providers. */
export const litellmModels: Sender = {
  name: 'litellm-models',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['litellm', 'opentelemetry-sdk'],
  defaults: {
    env: { LITELLM_LOCAL_MODEL_COST_MAP: 'true', USE_OTEL_LITELLM_REQUEST_SPAN: 'true' },
  },
  cases: providerCases(['anthropic', 'bedrock', 'gemini', 'azure', 'ollama'], {
    mode: 'litellm',
    lacks: { ollama: withProvider, 'ollama-stream': withProvider },
  }),
}
