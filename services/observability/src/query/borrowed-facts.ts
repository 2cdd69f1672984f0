import type { TracedAgent } from '../domain/traced-agent.ts'
import type { TraceReader } from '../store/trace-store.ts'
import {
  findTextSources,
  readRecordTexts,
  recordId,
  type TextSources,
  type RecordKey,
} from './log-texts.ts'
import { listOf, numberOf, textOf, type Row } from './query-rows.ts'

/** The length of a span's id at the end of an order. */
const ID_LENGTH = 16
/** The digits of a time in an order. */
export const TIME_DIGITS = 20
/** Maximum number of spans of a trace whose texts are read before it is known which one lends. */
const MAX_LIKELY = 3
/** Maximum number of traces for which they are read: the ends of the sessions of a page. */
const MAX_EAGER = 100
/** Maximum number of spans without a text that are considered for a trace. */
export const MAX_GAPS = 200

const ID = 'lower(hex(span_id))'
const STARTED = `concat(
  leftPad(toString(toUnixTimestamp64Nano(start_time)), ${TIME_DIGITS}, '0'), ${ID})`
const ENDED = `concat(
  leftPad(toString(toUnixTimestamp64Nano(start_time) + duration_ns), ${TIME_DIGITS}, '0'), ${ID})`

/**
 * The columns with which `withBorrowed` finds the spans whose log records lend a trace its
 * input or output. They use the aliases `is_root` and `lends`. Spans are ordered as text: by their
 * start for the input, and by their end for the output.
 */
export const ORDER_COLUMNS = `
  lower(hex(anyIf(span_id, is_root))) AS root_span_hex,
  minIf(${STARTED}, lends AND input != '') AS input_order,
  maxIf(${ENDED}, lends AND output != '') AS output_order,
  arraySlice(
    arraySort(groupArrayIf(${STARTED}, lends AND input = '')), 1, ${MAX_GAPS}) AS input_gaps,
  arraySlice(
    arrayReverseSort(groupArrayIf(${ENDED}, lends AND output = '')), 1, ${MAX_GAPS}
  ) AS output_gaps`

/**
 * Replaces what traces borrow from log records. Texts are those of the root, or else of the first
 * span with an input and the last one with an output, as for the spans' own texts; the session and
 * the user those of the first record, where spans have none. Traces that have all of it aren't
 * looked up, and `readOrders` is called only if log records may lend a text.
 */
export async function withBorrowed(
  reader: TraceReader,
  owner: TracedAgent,
  rows: readonly Row[],
  readOrders: () => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const borrowing = rows.filter((row) => lacksText(row) || lacksId(row))
  const traceIds = borrowing.map((row) => textOf(row, 'trace'))
  const likely = borrowing.length > MAX_EAGER ? [] : borrowing.flatMap(likelyLenders)
  const lenders = await findTextSources(reader, owner, traceIds, likely)
  if (lenders.size === 0) return rows
  const ids = idsByTrace(lenders)
  const withIds = rows.map((row) => ({
    ...row,
    session: textOf(row, 'session') || (ids.get(textOf(row, 'trace'))?.sessionId ?? ''),
    user: textOf(row, 'user') || (ids.get(textOf(row, 'trace'))?.userId ?? ''),
  }))
  return await withTexts(reader, owner, withIds, { lenders, readOrders })
}

async function withTexts(
  reader: TraceReader,
  owner: TracedAgent,
  rows: readonly Row[],
  {
    lenders,
    readOrders,
  }: { lenders: ReadonlyMap<string, TextSources>; readOrders: () => Promise<readonly Row[]> },
): Promise<readonly Row[]> {
  const borrowing = rows.filter(lacksText)
  const isLent = lenders.values().some(({ input, output }) => (input ?? output) !== undefined)
  if (borrowing.length === 0 || !isLent) return rows
  const orders = new Map((await readOrders()).map((row) => [textOf(row, 'trace'), row]))
  const found = new Map(
    borrowing.map((row) => {
      const order = orders.get(textOf(row, 'trace'))
      return [row, order ? recordsFor({ ...row, ...order }, lenders) : NOTHING]
    }),
  )
  const textIn = (key: RecordKey, field: TextField) =>
    lenders.get(key.traceId + key.spanId)?.texts[field] ?? ''
  const unread = [...found.values()].flatMap(({ input, output }) => [
    ...(input && textIn(input, 'input') === '' ? [input] : []),
    ...(output && textIn(output, 'output') === '' ? [output] : []),
  ])
  const texts = await readRecordTexts(reader, owner, unread)
  const textOfRecord = (key: RecordKey, field: TextField) =>
    textIn(key, field) || (texts.get(recordId(key))?.[field] ?? '')
  return rows.map((row) => {
    const { input, output } = found.get(row) ?? {}
    return {
      ...row,
      ...(input && { input_text: textOfRecord(input, 'input') }),
      ...(output && { output_text: textOfRecord(output, 'output') }),
    }
  })
}

/** The spans of a trace that may lend it a text, if its row has the order of spans. */
function likelyLenders(row: Row): readonly string[] {
  if (!lacksText(row)) return []
  const gaps = ['input_gaps', 'output_gaps'].flatMap((column) =>
    column in row ? listOf(row, column).map(String).slice(0, MAX_LIKELY) : [],
  )
  const spans = new Set(gaps.map((order) => order.slice(-ID_LENGTH)))
  return [...spans].map((span) => textOf(row, 'trace') + span)
}

const NOTHING = { input: undefined, output: undefined }

type TextField = 'input' | 'output'

function hasRootText(row: Row, field: TextField): boolean {
  return textOf(row, `root_${field}`) !== ''
}

function lacksText(row: Row): boolean {
  return !hasRootText(row, 'input') || !hasRootText(row, 'output')
}

function lacksId(row: Row): boolean {
  return textOf(row, 'session') === '' || textOf(row, 'user') === ''
}

/** The first session and the first user of each trace, whose lenders are sorted by time. */
function idsByTrace(lenders: ReadonlyMap<string, TextSources>): ReadonlyMap<string, LentIds> {
  const ids = new Map<string, LentIds>()
  for (const [span, { sessionId, userId }] of lenders) {
    const trace = span.slice(0, -ID_LENGTH)
    const first = ids.get(trace)
    ids.set(trace, {
      sessionId: first?.sessionId || sessionId,
      userId: first?.userId || userId,
    })
  }
  return ids
}

type LentIds = Pick<TextSources, 'sessionId' | 'userId'>

/** The records from which a trace borrows; undefined where the texts of its spans count. */
function recordsFor(row: Row, lenders: ReadonlyMap<string, TextSources>) {
  const traceId = textOf(row, 'trace')
  const recordOf = (field: TextField, spanId: string): RecordKey | undefined => {
    const record = lenders.get(traceId + spanId)?.[field]
    return record === undefined ? undefined : { traceId, spanId, record }
  }
  const find = (field: TextField, isBefore: (order: string, own: string) => boolean) => {
    if (hasRootText(row, field)) return undefined
    const ofRoot = recordOf(field, textOf(row, 'root_span_hex'))
    if (ofRoot !== undefined) return ofRoot
    if (field === 'output' && numberOf(row, 'is_failed') > 0) return undefined
    const own = textOf(row, `${field}_order`)
    for (const order of listOf(row, `${field}_gaps`).map(String)) {
      if (own !== '' && !isBefore(order, own)) return undefined
      const record = recordOf(field, order.slice(-ID_LENGTH))
      if (record !== undefined) return record
    }
    return undefined
  }
  return {
    input: find('input', (order, own) => order < own),
    output: find('output', (order, own) => order > own),
  }
}
