import { agentParameter, type AgentReference } from '../../command/agent-reference.ts'
import { define } from '../../command/define.ts'
import type { Schemas } from '@slipway/client'
import type { HistoryFlags } from './run.ts'

export const history = define<HistoryFlags, [agent?: AgentReference], Schemas['RevisionList']>({
  brief: 'List the revisions of a deployment',
  description:
    'Every deploy and rollback that changed something is a revision. The newest one is the first.',
  examples: [['slipway history --limit 5', 'the last five revisions']],
  positional: { kind: 'tuple', parameters: [agentParameter] },
  flags: {
    limit: {
      kind: 'parsed',
      parse: parseLimit,
      default: '20',
      placeholder: 'count',
      brief: 'The most revisions, up to 1000',
    },
  },
  json: { bodyOf: 'GET /agents/{account}/{name}/deployment/revisions', hasNames: true },
  load: async () => (await import('./run.ts')).history,
})

function parseLimit(text: string): number {
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1000) return limit
  throw new Error(`"${text}" is not a number from 1 to 1000`)
}
