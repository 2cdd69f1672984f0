import { setImmediate as nextTurn } from 'node:timers/promises'

import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ExportTraceServiceResponseSchema } from '@slipway/proto/opentelemetry/proto/collector/trace/v1/trace_service'
import type { Span } from '@slipway/proto/opentelemetry/proto/trace/v1/trace'
import { createCounter } from '@slipway/shared/telemetry'

import type { SpanOwner, StoredSpan } from '../domain/span.ts'
import { writeSpanRows } from '../store/span-rows.ts'
import { UnreadableSpan } from './unreadable-span.ts'
import type { MemoryBudget } from './memory-budget.ts'
import { findProblem, resolveParents, toStoredSpan } from './read-spans.ts'
import { Rejections } from './rejections.ts'
import type { SpanWriter } from './span-writer.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NS_PER_MS = 1_000_000n
/** How long spans are decoded before the event loop runs other work. */
const TURN_MS = 10

const countSpans = createCounter('slipway.ingest.spans', 'Spans that were stored or rejected')

/** The dependencies of the ingest. */
export interface IngestDependencies {
  readonly writer: SpanWriter
  readonly budget: MemoryBudget
  readonly retentionDays: number
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** Stores the spans of one owner; when they are stored, resolves to the rejected ones. */
export type Ingest = (
  owner: SpanOwner,
  spans: Iterable<Span | UnreadableSpan>,
) => Promise<MessageInitShape<typeof ExportTraceServiceResponseSchema>>

/** Creates the function that the HTTP and gRPC listeners share. */
export function createIngest({ writer, budget, retentionDays, clock }: IngestDependencies): Ingest {
  const nextVersion = createVersions(clock)
  return async (owner, spans) => {
    const nowMs = Math.trunc(clock())
    const window = {
      oldestNs: BigInt(nowMs - retentionDays * DAY_MS) * NS_PER_MS,
      newestNs: BigInt(nowMs + DAY_MS) * NS_PER_MS,
    }
    const rejections = new Rejections()
    const accepted: StoredSpan[] = []
    let turnEndsAt = performance.now() + TURN_MS
    for (const span of spans) {
      const problem = span instanceof UnreadableSpan ? span.reason : findProblem(span, window)
      if (problem !== undefined) rejections.add(problem)
      else if (!(span instanceof UnreadableSpan)) accepted.push(toStoredSpan(span))
      if (performance.now() < turnEndsAt) continue
      await nextTurn()
      turnEndsAt = performance.now() + TURN_MS
    }
    const rows = writeSpanRows(owner, resolveParents(accepted), nextVersion)
    using _rows = budget.take(rows.length)
    await writer.write(rows)
    countSpans(accepted.length, { outcome: 'stored' })
    if (rejections.total > 0) countSpans(rejections.total, { outcome: 'rejected' })
    return rejections.total === 0
      ? {}
      : {
          partialSuccess: {
            rejectedSpans: BigInt(rejections.total),
            errorMessage: rejections.message,
          },
        }
  }
}

/** Microseconds since 1970, strictly increasing. */
function createVersions(clock: () => number): () => number {
  let last = 0
  return () => {
    last = Math.max(last + 1, Math.trunc(clock() * 1000))
    return last
  }
}
