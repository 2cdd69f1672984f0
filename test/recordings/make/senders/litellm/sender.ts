import { NO_TOOLS, type Sender } from '../../sender.ts'

/** LiteLLM with its callback for OpenTelemetry. */
export const litellm: Sender = {
  name: 'litellm',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['litellm', 'openai', 'opentelemetry-sdk'],
  defaults: { env: { USE_OTEL_LITELLM_REQUEST_SPAN: 'true' } },
  cases: {
    guide: { scenario: 'guide-plain', isGuide: true },
    plain: {},
    tool: { notSent: NO_TOOLS },
    session: {},
    'model-error': {},
  },
}
