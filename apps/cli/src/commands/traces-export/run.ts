import { agentOf, type AgentReference } from '../../command/agent-reference.ts'
import type { Implementation } from '../../command/implementation.ts'
import { usageError } from '../../errors/cli-error.ts'
import { filterQuery, type TraceFilters } from '../../traces/filters.ts'
import { findTrace } from '../../traces/find-trace.ts'
import { exportedList, exportedTrace, type ExportFormat } from './read.ts'
import { writeWhole } from './write-whole.ts'

export interface TracesExportFlags extends TraceFilters {
  readonly trace?: string
  readonly format: ExportFormat
  readonly file?: string
  readonly limit: number
}

export const tracesExport: Implementation<TracesExportFlags, [agent?: AgentReference], never> = {
  async *run(cli, { trace, format, file, limit, ...filters }, reference) {
    const query = filterQuery(filters)
    if (trace !== undefined && Object.keys(query).length > 0)
      throw usageError('--trace and options that select traces contradict each other')
    const agent = await agentOf(cli, reference)
    const pieces =
      trace === undefined
        ? exportedList(cli, agent, { ...query, format }, limit)
        : exportedTrace(cli, { ...agent, trace_id: await findTrace(cli, agent, trace) }, format)
    if (file === undefined)
      for await (const piece of pieces) await cli.printer.rawPiece(piece, cli.signal)
    else {
      await writeWhole(file, pieces, cli.signal)
      cli.printer.say(`wrote ${file}`, 'good')
    }
    // What is exported was printed as it arrived. There are no other results.
    yield* []
  },

  view: () => [],
}
