import type { Sender } from '../../sender.ts'

const noTools = { tools: 'the decorators of the SDK', kinds: 'as tools' }

/** An earlier OpenLLMetry for the OpenAI SDK, with an attribute for each message. */
export const traceloopOld: Sender = {
  name: 'traceloop-old',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['opentelemetry-instrumentation-openai', 'openai', 'opentelemetry-sdk'],
  cases: {
    plain: {},
    tool: { notSent: noTools },
    stream: {},
    'model-error': {},
    image: {},
  },
}
