import { parseAgentName, type AgentReference } from '../../command/agent-reference.ts'
import { define } from '../../command/define.ts'
import { deletionFlags, type DeletionFlags } from '../../command/deletion.ts'
import { proposals } from '../../command/parameters.ts'
import type { AgentsDelete } from './run.ts'

export const agentsDelete = define<DeletionFlags, [agent: AgentReference], AgentsDelete>({
  brief: 'Delete an agent with its builds',
  description:
    'Deletes an agent that is not deployed and has no published version, with its builds, its\n' +
    'traces and the history of its deployments. Shows them first, and asks.',
  examples: [
    ['slipway agents delete handbook --dry-run', 'shows what would be deleted'],
    ['slipway agents delete handbook --yes', 'deletes it without a question'],
  ],
  positional: {
    kind: 'tuple',
    parameters: [
      {
        parse: parseAgentName,
        placeholder: 'agent',
        brief: 'NAME or ACCOUNT/NAME',
        proposeCompletions: proposals('agents'),
      },
    ],
  },
  flags: deletionFlags,
  json: { bodyOf: 'DELETE /agents/{account}/{name}' },
  load: async () => (await import('./run.ts')).agentsDelete,
})
