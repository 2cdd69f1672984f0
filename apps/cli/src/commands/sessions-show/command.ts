import { agentParameter, type AgentReference } from '../../command/agent-reference.ts'
import { define } from '../../command/define.ts'
import { limitFlag } from '../../traces/limit-flag.ts'
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
    limit: limitFlag('100', 'Most turns to show'),
  },
  aliases: { n: 'limit' },
  json: { bodyOf: 'GET /agents/{account}/{name}/observability/sessions/{session_id}' },
  load: async () => (await import('./run.ts')).sessionsShow,
})
