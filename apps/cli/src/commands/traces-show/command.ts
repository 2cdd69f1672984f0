import { agentParameter, type AgentReference } from '../../command/agent-reference.ts'
import { define } from '../../command/define.ts'
import { parseTraceName } from '../../traces/find-trace.ts'
import type { Trace } from '@slipway/words/span-rows'
import type { TracesShowFlags } from './run.ts'

export const tracesShow = define<TracesShowFlags, [trace: string, agent?: AgentReference], Trace>({
  brief: 'Show one run of an agent as a waterfall',
  description:
    'Shows when each operation of a trace began and how long it took, with its model, tokens\n' +
    'and cost, what failed, and the input and output of the run.\n' +
    '\n' +
    'In a pipe, each span is a row: depth, start in milliseconds, duration in milliseconds,\n' +
    'status, type, name, model, input tokens, output tokens, cost, id, why it failed, input\n' +
    'and output.',
  examples: [
    ['slipway traces show latest support-agent', 'shows the newest run'],
    [
      'slipway traces show 4bf92f35 support-agent --spans',
      'also shows what each span got and gave',
    ],
  ],
  positional: {
    kind: 'tuple',
    parameters: [
      {
        parse: parseTraceName,
        placeholder: 'trace',
        brief: 'Its id, the start of its id if it is recent, or latest',
      },
      agentParameter,
    ],
  },
  flags: {
    spans: {
      kind: 'boolean',
      default: false,
      withNegated: false,
      brief: 'Show the input and output of each span, and nothing shortened',
    },
  },
  json: { bodyOf: 'GET /agents/{account}/{name}/observability/traces/{trace_id}' },
  load: async () => (await import('./run.ts')).tracesShow,
})
