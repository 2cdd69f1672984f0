import { agentParameter, type AgentReference } from '../../command/agent-reference.ts'
import { define } from '../../command/define.ts'
import { deletionFlags, type DeletionFlags } from '../../command/deletion.ts'
import type { AgentsDeleteBuild } from './run.ts'

export const agentsDeleteBuild = define<
  DeletionFlags,
  [build: string, agent?: AgentReference],
  AgentsDeleteBuild
>({
  brief: 'Delete a build that is not published',
  description:
    'Deletes a build of an agent, unless it is published or the only one. Deployments of the\n' +
    'build keep running.',
  examples: [['slipway agents delete-build b7 handbook', 'deletes the build b7']],
  positional: {
    kind: 'tuple',
    parameters: [
      { parse: String, placeholder: 'build', brief: 'The id of the build' },
      agentParameter,
    ],
  },
  flags: deletionFlags,
  json: { bodyOf: 'DELETE /agents/{account}/{name}/builds/{build_id}' },
  load: async () => (await import('./run.ts')).agentsDeleteBuild,
})
