import type { Schemas } from '@slipway/client'

import { agentParameter, type AgentReference } from '../../command/agent-reference.ts'
import { yesFlag, type ConsentFlags } from '../../command/consent.ts'
import { define } from '../../command/define.ts'

export const undeploy = define<ConsentFlags, [agent?: AgentReference], Schemas['UndeployResult']>({
  brief: 'Remove a deployment with its data',
  description:
    'Shows what would be deleted, asks, and deletes the namespace with everything in it: pods,\n' +
    'credentials, and volumes with their data. The agent, its builds and its traces stay. Its\n' +
    'revisions can no longer be listed or restored: the next deploy is revision 1.',
  examples: [['slipway undeploy support-agent', 'removes the deployment of support-agent']],
  positional: { kind: 'tuple', parameters: [agentParameter] },
  flags: { yes: yesFlag },
  aliases: { y: 'yes' },
  json: { bodyOf: 'POST /undeploy' },
  load: async () => (await import('./run.ts')).undeploy,
})
