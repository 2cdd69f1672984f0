import { NO_TOOLS, type Sender } from '../../sender.ts'

const CAPTURE = 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT'

/** The successor of the official instrumentation of the OpenAI SDK. */
export const genaiOpenai: Sender = {
  name: 'genai-openai',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['opentelemetry-instrumentation-genai-openai', 'openai', 'opentelemetry-sdk'],
  defaults: {
    env: {
      OTEL_SEMCONV_STABILITY_OPT_IN: 'gen_ai_latest_experimental',
      [CAPTURE]: 'SPAN_ONLY',
    },
  },
  cases: {
    plain: {},
    stream: {},
    'tool-event': { scenario: 'tool', env: { [CAPTURE]: 'EVENT_ONLY' }, notSent: NO_TOOLS },
    'responses-tool': { scenario: 'tool', mode: 'responses', notSent: NO_TOOLS },
    'model-error': {},
    image: {},
  },
}
