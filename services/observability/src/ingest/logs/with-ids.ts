import type { DecodedSpan } from '../decode/decoded-span.ts'
import { isId, SPAN_ID_BYTES, TRACE_ID_BYTES } from '../decode/ids.ts'
import type { SentRecord } from '../pipeline/signal.ts'
import { UnreadableSpan } from '../decode/unreadable-span.ts'

/** Returns a log record if it names a span, or why it can't be read; otherwise undefined. */
export function withIds(log: DecodedSpan | UnreadableSpan): SentRecord {
  if (log instanceof UnreadableSpan) return log
  const { traceId, spanId } = log.span
  return isId(traceId, TRACE_ID_BYTES) && isId(spanId, SPAN_ID_BYTES) ? log : undefined
}
