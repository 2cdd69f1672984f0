import { agentParameter, type AgentReference } from '../../command/agent-reference.ts'
import { define } from '../../command/define.ts'
import { filterFlags } from '../../traces/filters.ts'
import { limitFlag } from '../../traces/limit-flag.ts'
import type { TraceList, TracesListFlags } from './run.ts'

export const tracesList = define<TracesListFlags, [agent?: AgentReference], TraceList>({
  brief: 'List the runs of an agent, the newest first',
  description:
    'Lists traces: what the agent did, how long it took, its tokens and cost. On a terminal,\n' +
    'ids are shortened; `slipway traces show` takes them as they are.',
  examples: [
    ['slipway traces support-agent --errors', 'lists the runs in which something failed'],
    ["slipway traces support-agent --slower 5s --tokens '>10k' --since 7d", 'lists expensive runs'],
  ],
  positional: { kind: 'tuple', parameters: [agentParameter] },
  flags: {
    ...filterFlags,
    limit: limitFlag('20', 'Most traces to list'),
  },
  aliases: { n: 'limit' },
  json: { bodyOf: 'GET /agents/{account}/{name}/observability/traces' },
  load: async () => (await import('./run.ts')).tracesList,
})
