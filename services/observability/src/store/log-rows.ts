import type { SpanOwner } from '../domain/span.ts'
import type { StoredLog } from '../domain/stored-log.ts'
import {
  dateTime,
  fixedString,
  lowCardinality,
  nativeBlock,
  string,
  traceTail,
  uint64,
  type Column,
} from './native-block.ts'
import { ownerColumns, versionColumn } from './span-rows.ts'

type RowOwner = Pick<SpanOwner, 'accountId' | 'agent' | 'agentId'>

/** The columns that depend on the log record only. */
const columns: readonly Column<StoredLog>[] = [
  fixedString('trace_id', 16, (log) => log.traceId),
  fixedString('span_id', 8, (log) => log.spanId),
  traceTail('trace_tail', (log) => log.traceId),
  uint64('sent_ns', (log) => log.sentNs),
  dateTime('time', (log) => log.timeNs),
  lowCardinality('name', (log) => log.name),
  string('session_id', (log) => log.sessionId),
  string('user_id', (log) => log.userId),
  string('input', (log) => log.input),
  string('output', (log) => log.output),
  string('messages', (log) => log.messages),
  string('attributes', (log) => log.attributes),
]

const columnsOf = (owner: RowOwner, nextVersion: () => number): readonly Column<StoredLog>[] => [
  ...ownerColumns(owner),
  versionColumn(nextVersion),
  ...columns,
]

/** The columns of a log record's row, in order. */
export const LOG_COLUMNS = columnsOf({ accountId: '', agent: '', agentId: '' }, () => 0).map(
  ({ name }) => name,
)

/** Writes the log records of one owner as a block, like `spanBlock`. */
export function logBlock(
  owner: RowOwner,
  logs: readonly StoredLog[],
  nextVersion: () => number,
): Uint8Array<ArrayBuffer> {
  return nativeBlock(columnsOf(owner, nextVersion), logs)
}
