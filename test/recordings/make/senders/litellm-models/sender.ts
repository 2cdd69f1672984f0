import type { Sender } from '../../sender.ts'
import { providerCases } from '../provider-cases.ts'

/** LiteLLM's own spans with several providers. */
export const litellmModels: Sender = {
  name: 'litellm-models',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['litellm', 'opentelemetry-sdk'],
  defaults: {
    env: { LITELLM_LOCAL_MODEL_COST_MAP: 'true', USE_OTEL_LITELLM_REQUEST_SPAN: 'true' },
  },
  cases: providerCases(['anthropic', 'bedrock', 'gemini', 'azure', 'ollama'], { mode: 'litellm' }),
}
