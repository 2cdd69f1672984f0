import type { Sender } from '../../sender.ts'

const noTools = { tools: 'the decorators of the SDK', kinds: 'as tools' }

/** An earlier OpenLLMetry for the OpenAI SDK, with an attribute for each message. */
export const traceloopOld: Sender = {
  name: 'traceloop-old',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['opentelemetry-instrumentation-openai', 'openai', 'opentelemetry-sdk'],
  defaults: { notSent: { reasoning_tokens: 'a later version' } },
  cases: {
    plain: {},
    tool: { notSent: noTools },
    stream: {
      notSent: { input_tokens: 'a later version', output_tokens: 'a later version' },
    },
    'model-error': {},
    image: { notSent: { input: 'a later version' } },
  },
}
