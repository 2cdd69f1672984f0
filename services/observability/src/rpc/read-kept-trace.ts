import { invalidField } from '@slipway/shared/errors'

import type { ObservabilityContext } from '../context.ts'
import { clampToRetention } from '../domain/trace-range.ts'
import { findRoot, type TraceSpan } from '../domain/trace-tree.ts'
import type { TracedAgent } from '../domain/traced-agent.ts'
import { readTrace, type StoredTrace } from '../query/read-trace.ts'
import type { TraceReader } from '../store/trace-store.ts'
import { settledBeforeUs } from './trace-scope.ts'

/** Returns a requested trace id in lower case. Throws InvalidInput for other text. */
export function requireTraceId(requested: string): string {
  const traceId = requested.toLowerCase()
  if (/^[0-9a-f]{32}$/.test(traceId)) return traceId
  throw invalidField('trace_id', 'must be 32 hex digits')
}

/** Reads a trace with its root; undefined if there is none, or it is no longer kept. */
export async function readKeptTrace(
  context: ObservabilityContext,
  reader: TraceReader,
  { owner, traceId }: { readonly owner: TracedAgent; readonly traceId: string },
): Promise<(StoredTrace & { readonly root: TraceSpan }) | undefined> {
  const trace = await readTrace(reader, owner, traceId)
  const root = trace && findRoot(trace.spans, settledBeforeUs(context))
  if (trace === undefined || root === undefined) return undefined
  if (isExpired(context, owner.accountId, root)) return undefined
  return { ...trace, root }
}

function isExpired(
  { clock, retention }: ObservabilityContext,
  accountId: string,
  { startTimeNs }: TraceSpan,
): boolean {
  const kept = clampToRetention(
    { startNs: startTimeNs, endNs: startTimeNs },
    { nowMs: clock(), retentionDays: retention.daysOf(accountId) },
  )
  return kept.startNs !== startTimeNs
}
