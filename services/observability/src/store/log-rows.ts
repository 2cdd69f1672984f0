import type { SpanOwner } from '../domain/span.ts'
import type { StoredLog } from '../domain/stored-log.ts'
import { decimalSeconds, rowOf } from './span-rows.ts'

/** The columns of a log record's row, in order. */
export const LOG_COLUMNS = [
  'account_id',
  'agent',
  'agent_id',
  'trace_hex',
  'span_hex',
  'sent_ns',
  'version',
  'time',
  'name',
  'session_id',
  'user_id',
  'input',
  'output',
  'messages',
  'attributes',
] as const

/** Yields the log records of one owner as JSONCompactEachRow, like `spanRows`. */
export function* logRows(
  { accountId, agent, agentId }: Pick<SpanOwner, 'accountId' | 'agent' | 'agentId'>,
  logs: readonly StoredLog[],
  nextVersion: () => number,
): Iterable<string> {
  for (const log of logs) {
    const values = [
      accountId,
      agent,
      agentId,
      log.traceId,
      log.spanId,
      String(log.sentNs),
      nextVersion(),
      decimalSeconds(log.timeNs),
      log.name,
      log.sessionId,
      log.userId,
      log.input,
      log.output,
    ]
    yield rowOf(values, [log.messages, log.attributes])
  }
}
