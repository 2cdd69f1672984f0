import { agentParameter, type AgentReference } from '../../command/agent-reference.ts'
import { yesFlag } from '../../command/consent.ts'
import { define } from '../../command/define.ts'
import { componentFlag } from '../../deployments/component-flag.ts'
import { waitFlags } from '../../deployments/wait-flags.ts'
import type { RestartFlags, Restarted } from './run.ts'

export const restart = define<RestartFlags, [agent?: AgentReference], Restarted>({
  brief: 'Restart the pods of a deployment',
  description:
    'Asks, and deletes pods, which the cluster creates again: all but those of ingestions, or\n' +
    'only some. Without --detach, the next pod is restarted when its component is ready again.\n' +
    'Ctrl-C leaves the others as they are.',
  examples: [
    ['slipway restart', 'restarts all pods, one after the other'],
    ['slipway restart support-agent --component agent', 'restarts the pods of the agent'],
  ],
  positional: { kind: 'tuple', parameters: [agentParameter] },
  flags: {
    pod: {
      kind: 'parsed',
      parse: String,
      optional: true,
      placeholder: 'name',
      brief: 'Only this pod; slipway status lists them',
    },
    component: componentFlag,
    yes: yesFlag,
    ...waitFlags,
  },
  aliases: { y: 'yes' },
  json: { schema: 'result.ts' },
  load: async () => (await import('./run.ts')).restart,
})
