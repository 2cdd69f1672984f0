import type { Sender } from '../../sender.ts'

const withTools = { kinds: ['model', 'tool'] } as const
const counted = 'it counts the tokens of streams itself'

/** OpenLLMetry with the SDK of Traceloop for JavaScript. It doesn't send what fails. */
export const traceloopJs: Sender = {
  name: 'traceloop-js',
  folder: import.meta.dirname,
  runtime: 'node',
  packages: ['@traceloop/node-server-sdk', 'openai'],
  defaults: { notSent: { cached_tokens: 'not sent', reasoning_tokens: 'not sent' } },
  cases: {
    plain: {},
    tool: { expected: withTools },
    'tool-error': { notSent: { tools: 'not sent if it fails', kinds: 'as tools' } },
    'stream-tool': {
      expected: withTools,
      notSent: { input_tokens: counted, output_tokens: counted },
    },
    'responses-tool': { scenario: 'tool', mode: 'responses', expected: withTools },
    'responses-without-root': { scenario: 'plain', mode: 'responses+without-root' },
    session: {},
  },
}
