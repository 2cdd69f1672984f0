import { agentParameter, type AgentReference } from '../../command/agent-reference.ts'
import { define } from '../../command/define.ts'
import { wholeNumber } from '../../command/values/amount.ts'
import type { Session, SessionsShowFlags } from './run.ts'

type Args = [session: string, agent?: AgentReference]

export const sessionsShow = define<SessionsShowFlags, Args, Session>({
  brief: 'Show a conversation with its turns, the oldest first',
  description:
    'Shows the input and output of each turn of a session, its tokens and cost.\n' +
    '\n' +
    'In a pipe, each turn is a row: status, trace id, start, duration in milliseconds, input\n' +
    'tokens, output tokens, cost, input, and output.',
  examples: [
    ['slipway sessions show chat-1 support-agent', 'shows a conversation'],
    ['slipway sessions show chat-1 support-agent --full', 'shows its texts to their ends'],
  ],
  positional: {
    kind: 'tuple',
    parameters: [
      { parse: String, placeholder: 'session', brief: 'Its id, from `slipway sessions`' },
      agentParameter,
    ],
  },
  flags: {
    full: {
      kind: 'boolean',
      default: false,
      withNegated: false,
      brief: 'Show nothing shortened',
    },
    limit: {
      kind: 'parsed',
      parse: wholeNumber(1, 10_000),
      default: '100',
      placeholder: 'number',
      brief: 'Most turns to show, up to 10000',
    },
  },
  aliases: { n: 'limit' },
  json: { bodyOf: 'GET /agents/{account}/{name}/observability/sessions/{session_id}' },
  load: async () => (await import('./run.ts')).sessionsShow,
})
