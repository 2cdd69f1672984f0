import { define } from '../../command/define.ts'
import { positiveInteger } from '../../command/parameters.ts'
import type { AgentsList, AgentsListFlags } from './run.ts'

export const agentsList = define<AgentsListFlags, [query?: string], AgentsList>({
  brief: 'Search the public catalog, or list the agents of an account',
  description:
    'Lists published agents of all accounts. All words of QUERY must occur in the name, the\n' +
    'description, the tags or the account. With --mine or --account, lists the agents of one\n' +
    'account; its members also see agents that are not published.',
  examples: [
    ['slipway agents', 'lists published agents'],
    ['slipway agents "support slack"', 'searches them'],
    ['slipway agents --mine', 'lists all agents of your account'],
  ],
  positional: {
    kind: 'tuple',
    parameters: [{ parse: String, placeholder: 'query', brief: 'Words to find', optional: true }],
  },
  flags: {
    mine: {
      kind: 'boolean',
      default: false,
      withNegated: false,
      brief: 'Only agents of the current account, also unpublished ones',
    },
    tag: {
      kind: 'parsed',
      parse: String,
      optional: true,
      placeholder: 'tag',
      brief: 'Only agents with this tag',
    },
    limit: {
      kind: 'parsed',
      parse: positiveInteger,
      default: '50',
      placeholder: 'n',
      brief: 'How many agents to list at most',
    },
  },
  aliases: { n: 'limit' },
  json: { schema: 'result.ts' },
  load: async () => (await import('./run.ts')).agentsList,
})
