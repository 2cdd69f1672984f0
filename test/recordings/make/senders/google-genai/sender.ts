import type { Sender } from '../../sender.ts'

const noTools = { tools: '`models.generate_content`', kinds: 'as tools' }
const chats = '`chats`, without spans for functions'
const withTools = { kinds: ['model', 'tool'] } as const
const CAPTURE = 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT'

/** Google's SDK for Gemini, with OpenTelemetry's instrumentation. */
export const googleGenai: Sender = {
  name: 'google-genai',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['opentelemetry-instrumentation-google-genai', 'google-genai', 'opentelemetry-sdk'],
  defaults: {
    env: {
      [CAPTURE]: 'SPAN_AND_EVENT',
      OTEL_SEMCONV_STABILITY_OPT_IN: 'gen_ai_latest_experimental',
    },
  },
  cases: {
    plain: {},
    'plain-without-root': { scenario: 'plain', mode: 'without-root' },
    tool: { notSent: noTools },
    'tool-error': { notSent: noTools },
    'models-tool': {
      scenario: 'tool',
      mode: 'models',
      expected: withTools,
      notSent: { input_tokens: chats, output_tokens: chats },
    },
    'model-error': {},
    stream: {},
  },
}
