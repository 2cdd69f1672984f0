import type { Sender } from '../../sender.ts'
import { providerCases } from '../provider-cases.ts'

const litellm = ['litellm-anthropic', 'litellm-bedrock']
const withProvider = { models: 'the name without that of the provider' }
const lacks = Object.fromEntries(
  litellm.flatMap((name) => [name, `${name}-stream`].map((each) => [each, withProvider])),
)

/** Google's Agent Development Kit with several providers, by itself or through LiteLLM. */
export const googleAdkModels: Sender = {
  name: 'google-adk-models',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['google-adk', 'google-genai', 'anthropic', 'litellm'],
  defaults: {
    env: {
      ANTHROPIC_OPEN_TELEMETRY: 'false',
      LITELLM_LOCAL_MODEL_COST_MAP: 'true',
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'SPAN_AND_EVENT',
    },
    expected: { kinds: ['agent', 'model'], user_id: 'user' },
  },
  cases: providerCases(['gemini', 'claude', ...litellm], { mode: 'adk', lacks }),
}
