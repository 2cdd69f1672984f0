import { agentParameter, type AgentReference } from '../../command/agent-reference.ts'
import { define } from '../../command/define.ts'
import { wholeNumber } from '../../command/values/amount.ts'
import { filterFlags } from '../../traces/filters.ts'
import { parseTraceName } from '../../traces/find-trace.ts'
import type { TracesExportFlags } from './run.ts'

const TRACES = 'GET /agents/{account}/{name}/observability/traces'

export const tracesExport = define<TracesExportFlags, [agent?: AgentReference], never>({
  brief: 'Write traces with all their spans to a file or a pipe',
  description:
    'Writes traces in a format that other programs read: otlp, which any collector of\n' +
    'OpenTelemetry takes, or jsonl, a line of JSON for each trace. More than 500 traces in\n' +
    'otlp are several requests, one a line.\n' +
    '\n' +
    'The file appears when all of it is written. An export that fails or is interrupted leaves\n' +
    'no file, and keeps one from before.',
  examples: [
    ['slipway traces export support-agent --errors --file traces.json', 'writes failed runs'],
    ['slipway traces export support-agent --format jsonl | jq .latency_ms', 'reads each run'],
    ['slipway traces export support-agent --trace latest', 'writes the newest run'],
  ],
  positional: { kind: 'tuple', parameters: [agentParameter] },
  flags: {
    trace: {
      kind: 'parsed',
      parse: parseTraceName,
      optional: true,
      placeholder: 'trace',
      brief: 'Only this one: its id, the start of its id if it is recent, or latest',
    },
    format: {
      kind: 'enum',
      values: ['otlp', 'jsonl'],
      default: 'otlp',
      brief: 'The format; each line of jsonl is as `slipway traces show --json` prints it',
    },
    file: {
      kind: 'parsed',
      parse: String,
      optional: true,
      placeholder: 'file',
      brief: 'The file to write, in place of standard output',
    },
    ...filterFlags,
    limit: {
      kind: 'parsed',
      parse: wholeNumber(1, 100_000),
      default: '500',
      placeholder: 'number',
      brief: 'Most traces to write, the newest first, up to 100000',
    },
  },
  aliases: { n: 'limit', f: 'file' },
  json: { bodyOf: [`${TRACES}/export`, `${TRACES}/{trace_id}/export`] },
  load: async () => (await import('./run.ts')).tracesExport,
})
