import { TEXT_SOURCE_TYPES } from '../domain/trace-tree.ts'
import type { QueryParameters } from '../store/engine.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { ORDER_COLUMNS } from './borrowed-facts.ts'
import { queryRows, type Row } from './query-rows.ts'
import { fromSpans } from './spans-sql.ts'
import { FACT_COLUMNS, FACTS } from './trace-facts.ts'

/** The spans of the traces of a page. */
export const PAGE_SPANS = {
  tails: '{tails:Array(UInt32)}',
  when: `start_time >= fromUnixTimestamp64Nano({firstStartNs:Int64}, 'UTC')
      AND start_time <= fromUnixTimestamp64Nano({lastStartNs:Int64}, 'UTC')`,
}

const COLUMNS = ['input', 'output', 'duration_ns', 'is_failed_run', 'name', ...FACT_COLUMNS]

const SPANS = fromSpans(COLUMNS, 'all', PAGE_SPANS)

const ALIASES = `
  WITH type IN (${TEXT_SOURCE_TYPES.map((type) => `'${type}'`).join(', ')}) AS lends,
    concat(lower(hex(trace_id)), lower(hex(span_id))) IN {roots:Array(String)} AS is_root,
    (toUnixTimestamp64Nano(start_time) + duration_ns, span_id) AS end_order`

/**
 * Reads the root span. If the root has no input, the trace's input is that of its first agent or
 * model with one. If the root has no output, the trace's output is that of the last of them to end
 * with one, unless the run failed. Log records lend what spans don't have.
 */
const DETAILS = `
  ${ALIASES}
  SELECT lower(hex(trace_id)) AS trace,
    anyIf(name, is_root) AS root_name,
    (anyIf(is_error, is_root) > 0 OR max(is_failed_run) > 0) AS is_failed,
    toString(anyIf(duration_ns, is_root)) AS root_duration,
    anyIf(input, is_root) AS root_input,
    anyIf(output, is_root) AS root_output,
    if(
      root_input != '', root_input,
      argMinIf(input, (start_time, span_id), lends AND input != '')
    ) AS input_text,
    if(
      root_output != '' OR is_failed, root_output,
      argMaxIf(output, end_order, lends AND output != '')
    ) AS output_text,
    ${FACTS}
  ${SPANS} WHERE lower(hex(trace_id)) IN {traceIds:Array(String)}
  GROUP BY trace_id
  HAVING countIf(is_root) > 0`

/** Reads only where the spans of the traces have texts. */
const ORDERS = `
  ${ALIASES}
  SELECT lower(hex(trace_id)) AS trace, ${ORDER_COLUMNS}
  ${SPANS} WHERE lower(hex(trace_id)) IN {traceIds:Array(String)}
  GROUP BY trace_id`

/** Returns a row with the details of each trace. Rows have the columns of DETAILS. */
export async function readManyDetails(
  reader: TraceReader,
  parameters: QueryParameters,
): Promise<readonly Row[]> {
  return await queryRows(reader, DETAILS, parameters)
}

/** Returns a row with the order of the spans of each trace; see ORDER_COLUMNS. */
export async function readManyOrders(
  reader: TraceReader,
  parameters: QueryParameters,
): Promise<readonly Row[]> {
  return await queryRows(reader, ORDERS, parameters)
}
