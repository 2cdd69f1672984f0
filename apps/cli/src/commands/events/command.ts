import { agentParameter, type AgentReference } from '../../command/agent-reference.ts'
import { define } from '../../command/define.ts'
import { parseTime } from '../../command/values/time.ts'
import type { EventLine } from './result.ts'
import type { EventsFlags } from './run.ts'

export const events = define<EventsFlags, [agent?: AgentReference], EventLine>({
  brief: 'Print what has happened to the deployment of an agent',
  description:
    'Prints the events of the deployment that the server still has: deploys, changes of its\n' +
    'state, failed ingestions and so on. If the oldest are gone, the first line is the current\n' +
    'state. Followed events continue after the connection was cut, without loss or repetition.\n' +
    'They end with Ctrl-C (exit code 130), or when the agent is undeployed (0).\n' +
    '\n' +
    'For the events of the cluster, see `slipway logs`.',
  examples: [
    ['slipway events support-agent', 'prints the events until now'],
    ['slipway events support-agent -f --since 1h', 'prints those of the last hour, and new ones'],
  ],
  positional: { kind: 'tuple', parameters: [agentParameter] },
  flags: {
    follow: { kind: 'boolean', default: false, withNegated: false, brief: 'Go on with new events' },
    since: {
      kind: 'parsed',
      parse: (text) => parseTime(text),
      optional: true,
      placeholder: 'time',
      brief: 'Only events after this time, or this long ago, like 2h',
    },
  },
  aliases: { f: 'follow' },
  json: { lines: true, schema: 'result.ts' },
  load: async () => (await import('./run.ts')).events,
})
