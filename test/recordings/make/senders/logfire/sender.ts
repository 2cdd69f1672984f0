import { NO_TOOLS, type Sender } from '../../sender.ts'

const streamed = { models: 'a second span has the version that answered' }

/** Logfire's instrumentation of the OpenAI SDK. */
export const logfire: Sender = {
  name: 'logfire',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['logfire', 'openai', 'opentelemetry-sdk'],
  cases: {
    plain: {},
    tool: { notSent: NO_TOOLS },
    stream: { notSent: streamed },
    'responses-tool': { scenario: 'tool', mode: 'responses', notSent: NO_TOOLS },
    'responses-stream': { scenario: 'stream', mode: 'responses', notSent: streamed },
    'model-error': {},
    image: {},
  },
}
