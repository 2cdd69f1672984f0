import type { Sender } from '../../sender.ts'

const withAgents = { kinds: ['agent', 'model'] } as const
const withTools = { kinds: ['agent', 'model', 'tool'] } as const
const notSent = { user_id: 'an attribute of a span made by the program' }

/** Pydantic AI. An error in a tool ends its run. */
export const pydanticAi: Sender = {
  name: 'pydantic-ai',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['pydantic-ai-slim', 'logfire', 'opentelemetry-sdk', 'openai'],
  defaults: { expected: withAgents, notSent },
  cases: {
    guide: { isGuide: true, expected: withTools },
    plain: {},
    tool: { expected: withTools },
    'tool-error': {
      expected: {
        ...withTools,
        output: '',
        status: 'error',
        status_message: 'no weather station on Mars',
      },
    },
    'model-error': {},
    stream: {},
    'stream-tool': { expected: withTools },
    session: {},
    nested: { expected: withTools },
    'responses-tool': { scenario: 'tool', mode: 'responses', expected: withTools },
    'otel-plain': { scenario: 'plain', mode: 'otel' },
    'otel-tool': { scenario: 'tool', mode: 'otel', expected: withTools },
    'otel-session': { scenario: 'session', mode: 'otel' },
    'with-openai-plain': { scenario: 'plain', mode: 'openai' },
    'with-openai-tool': { scenario: 'tool', mode: 'openai', expected: withTools },
    'with-openai-stream': { scenario: 'stream', mode: 'openai' },
    'with-traceloop-tool': { scenario: 'tool', mode: 'otel+traceloop', expected: withTools },
    'with-openinference-plain': { scenario: 'plain', mode: 'otel+openinference' },
    'with-openinference-tool': {
      scenario: 'tool',
      mode: 'otel+openinference',
      expected: withTools,
    },
  },
}
