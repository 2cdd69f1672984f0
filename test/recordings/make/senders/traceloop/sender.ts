import type { Sender } from '../../sender.ts'

const withTools = { kinds: ['model', 'tool'] } as const

/** OpenLLMetry with the SDK of Traceloop. */
export const traceloop: Sender = {
  name: 'traceloop',
  folder: import.meta.dirname,
  runtime: 'python',
  packages: ['traceloop-sdk', 'opentelemetry-instrumentation-openai', 'openai'],
  cases: {
    guide: { scenario: 'guide-plain', isGuide: true },
    plain: {},
    'plain-without-root': { scenario: 'plain', mode: 'without-root' },
    'plain-without-content': {
      scenario: 'plain',
      env: { TRACELOOP_TRACE_CONTENT: 'false' },
      notSent: { input: 'TRACELOOP_TRACE_CONTENT=true', output: 'TRACELOOP_TRACE_CONTENT=true' },
    },
    tool: { expected: withTools },
    'tool-error': { expected: withTools },
    stream: { notSent: { reasoning_tokens: 'not sent for streams' } },
    'stream-tool': { expected: withTools },
    'model-error': {},
    session: {},
    image: {},
    embedding: { expected: { kinds: ['model', 'embedding'] } },
    'responses-plain': { scenario: 'plain', mode: 'responses' },
    'responses-tool': { scenario: 'tool', mode: 'responses', expected: withTools },
  },
}
