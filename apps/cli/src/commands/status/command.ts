import { agentParameter, type AgentReference } from '../../command/agent-reference.ts'
import { define } from '../../command/define.ts'
import type { StatusFlags, StatusResult } from './run.ts'

export const status = define<StatusFlags, [agent?: AgentReference], StatusResult>({
  brief: 'Show whether agents run, and why not',
  description:
    'Shows the components and pods of an agent, why they are not ready, and what to do.\n' +
    'Without an agent, it is that of the folder; if the folder has none that is deployed, or\n' +
    'with --all, lists all deployments of the account.\n' +
    '\n' +
    'With --watch, what changes is shown until you press Ctrl-C: in place on a terminal, else\n' +
    'as a line for each change, or a line of JSON.\n' +
    '\n' +
    'With --exit-code, the exit code is 0 if everything is ready, 5 if something has failed or\n' +
    'is degraded, and 8 while something is starting or being undeployed. Together with --watch,\n' +
    'the command ends as soon as it is not 8.',
  examples: [
    ['slipway status --all', 'lists the deployments'],
    ['slipway status support-agent --watch', 'follows one of them'],
    ['slipway status support-agent --watch --exit-code', 'waits for the end of a rollout'],
  ],
  positional: {
    kind: 'tuple',
    parameters: [agentParameter],
  },
  flags: {
    all: {
      kind: 'boolean',
      default: false,
      withNegated: false,
      brief: 'List all deployments of the account',
    },
    watch: {
      kind: 'boolean',
      default: false,
      withNegated: false,
      brief: 'Go on and show what changes',
    },
    exitCode: {
      kind: 'boolean',
      default: false,
      withNegated: false,
      brief: 'End with 5 or 8 if something is not ready',
    },
  },
  aliases: { w: 'watch' },
  json: {
    bodyOf: ['GET /deployments', 'GET /agents/{account}/{name}/deployment'],
    hasNames: true,
  },
  load: async () => (await import('./run.ts')).status,
})
