import type { Sender } from '../../sender.ts'

const withTools = { kinds: ['agent', 'model', 'tool'] } as const
const notSent = { reasoning_tokens: 'not sent', models: 'the version that answered' }
const failed = 'no weather station on Mars'
const failedTool = {
  name: 'get_weather',
  arguments: '{"city":"Mars"}',
  result: failed,
  error: failed,
}

/** Agno with OpenInference. Its model gets the error of a tool. */
export const agno: Sender = {
  name: 'agno',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['openinference-instrumentation-agno', 'agno', 'openai', 'opentelemetry-sdk'],
  defaults: { expected: { kinds: ['agent', 'model'] }, notSent },
  cases: {
    guide: { isGuide: true, expected: withTools },
    plain: {},
    tool: { expected: withTools },
    'tool-error': { expected: { ...withTools, tools: [failedTool] } },
    // A run that fails returns the error.
    'model-error': { expected: { output: 'the model refuses this request' } },
    stream: {},
    'stream-tool': { expected: withTools },
    session: {},
    nested: { expected: withTools },
  },
}
