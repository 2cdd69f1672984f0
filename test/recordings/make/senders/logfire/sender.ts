import type { Sender } from '../../sender.ts'

const noTools = { tools: 'a span for each tool, made by the program', kinds: 'as tools' }
const streamed = { models: 'a second span has the version that answered' }

/** Logfire's instrumentation of the OpenAI SDK. */
export const logfire: Sender = {
  name: 'logfire',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['logfire', 'openai', 'opentelemetry-sdk'],
  cases: {
    plain: {},
    tool: { notSent: noTools },
    stream: { notSent: streamed },
    'responses-tool': { scenario: 'tool', mode: 'responses', notSent: noTools },
    'responses-stream': { scenario: 'stream', mode: 'responses', notSent: streamed },
    'model-error': {},
    image: {},
  },
}
