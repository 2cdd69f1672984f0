import type { SpanOwner } from '../domain/span.ts'
import type { StoredLog } from '../domain/stored-log.ts'
import {
  hexColumn,
  nativeBlock,
  numberColumn,
  tailColumn,
  textColumn,
  timeColumn,
  wordColumn,
  type Column,
} from './native-block.ts'
import { ownerColumns, versionColumn } from './span-rows.ts'

type RowOwner = Pick<SpanOwner, 'accountId' | 'agent' | 'agentId'>

/** The columns that depend on the log record only. */
const columns: readonly Column<StoredLog>[] = [
  hexColumn('trace_id', 16, (log) => log.traceId),
  hexColumn('span_id', 8, (log) => log.spanId),
  tailColumn('trace_tail', (log) => log.traceId),
  numberColumn('sent_ns', (log) => log.sentNs),
  timeColumn('time', (log) => log.timeNs),
  wordColumn('name', (log) => log.name),
  textColumn('session_id', (log) => log.sessionId),
  textColumn('user_id', (log) => log.userId),
  textColumn('input', (log) => log.input),
  textColumn('output', (log) => log.output),
  textColumn('messages', (log) => log.messages),
  textColumn('attributes', (log) => log.attributes),
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
