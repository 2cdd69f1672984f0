import { agentParameter, type AgentReference } from '../../command/agent-reference.ts'
import { define } from '../../command/define.ts'
import { rangeFlags } from '../../command/values/range.ts'
import { limitFlag } from '../../traces/limit-flag.ts'
import type { SessionList, SessionsListFlags } from './run.ts'

export const sessionsList = define<SessionsListFlags, [agent?: AgentReference], SessionList>({
  brief: 'List the conversations with an agent, by their last turns',
  description:
    'Lists sessions: how many turns they had in the range, how many of them failed, and their\n' +
    'tokens and cost.\n' +
    '\n' +
    'In a pipe, each session is a row: id, last turn, turns, failed turns, tokens, cost, user,\n' +
    'and the input of the first turn.',
  examples: [
    ['slipway sessions support-agent --errors', 'lists those with a turn that failed'],
    ['slipway sessions support-agent --user 42 --since 7d', 'lists those of a user'],
  ],
  positional: { kind: 'tuple', parameters: [agentParameter] },
  flags: {
    errors: {
      kind: 'boolean',
      default: false,
      withNegated: false,
      brief: 'Only sessions with a turn that failed',
    },
    user: {
      kind: 'parsed',
      parse: String,
      optional: true,
      placeholder: 'id',
      brief: 'Only sessions of this user',
    },
    prefix: {
      kind: 'parsed',
      parse: String,
      optional: true,
      placeholder: 'text',
      brief: 'Only sessions whose id starts with this text',
    },
    ...rangeFlags,
    limit: limitFlag('20', 'Most sessions to list'),
  },
  aliases: { n: 'limit' },
  json: { bodyOf: 'GET /agents/{account}/{name}/observability/sessions' },
  load: async () => (await import('./run.ts')).sessionsList,
})
