import { agentParameter, type AgentReference } from '../../command/agent-reference.ts'
import { define } from '../../command/define.ts'
import { rangeFlags } from '../../command/values/range.ts'
import type { AgentMetrics } from './result.ts'
import type { MetricsFlags } from './run.ts'

export const metrics = define<MetricsFlags, [agent?: AgentReference], AgentMetrics>({
  brief: 'Show the runs, errors, latency, tokens and cost of an agent over time',
  description:
    'Shows how many runs an agent had, how many failed, how long they took, and their tokens\n' +
    'and cost, over time and in all. A terminal gets as many bars as it has room for.\n' +
    '\n' +
    'In a pipe, each bucket of time is a row: its start, runs, failed runs, median and 95th\n' +
    'percentile of the latency in milliseconds, input tokens, output tokens, and cost in US\n' +
    'dollars. With --by, each model or build is one, with its name in place of the start.',
  examples: [
    ['slipway metrics support-agent', 'shows the last 24 hours'],
    ['slipway metrics support-agent --since 7d --by model', 'also compares the models'],
  ],
  positional: { kind: 'tuple', parameters: [agentParameter] },
  flags: {
    by: {
      kind: 'enum',
      values: ['model', 'build'],
      optional: true,
      brief: 'Also show the calls of each model, or the runs of each build',
    },
    ...rangeFlags,
  },
  json: { schema: 'result.ts' },
  load: async () => (await import('./run.ts')).metrics,
})
