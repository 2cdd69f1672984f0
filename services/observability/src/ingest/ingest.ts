import { setImmediate as nextTurn } from 'node:timers/promises'

import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ExportTraceServiceResponseSchema } from '@slipway/proto/opentelemetry/proto/collector/trace/v1/trace_service'
import { createCounter } from '@slipway/shared/telemetry'

import type { SpanOwner } from '../domain/span.ts'
import type { SpanQuota } from '../quota/span-quota.ts'
import type { DecodedSpan } from './decoded-span.ts'
import type { Reservation } from './ingest-memory.ts'
import { findProblem, toStoredSpan } from './read-spans.ts'
import { Rejections } from './rejections.ts'
import { SpanParts } from './span-parts.ts'
import type { SpanWriter } from './span-writer.ts'
import { UnreadableSpan } from './unreadable-span.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NS_PER_MS = 1_000_000n
/** How long spans are decoded before the event loop runs other work. */
const TURN_MS = 10

const countSpans = createCounter('slipway.ingest.spans', 'Spans that were stored or rejected')

/** The dependencies of the ingest. */
export interface IngestDependencies {
  readonly writer: Pick<SpanWriter, 'write'>
  readonly quota: SpanQuota
  readonly retentionDays: number
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/**
 * Stores the spans of one owner; when they are stored, resolves to the rejected ones. Takes the
 * memory that this needs beyond that of the encoded spans. Throws RateLimited when there is none;
 * some of the spans may be stored then.
 */
export type Ingest = (
  owner: SpanOwner,
  spans: Iterable<DecodedSpan | UnreadableSpan>,
  memory: Pick<Reservation, 'grow' | 'shrinkBy'>,
) => Promise<MessageInitShape<typeof ExportTraceServiceResponseSchema>>

/** Creates the function that the HTTP and gRPC listeners share. */
export function createIngest(dependencies: IngestDependencies): Ingest {
  const { writer, quota, retentionDays, clock } = dependencies
  const nextVersion = createVersions(clock)
  return async (owner, spans, memory) => {
    const nowMs = Math.trunc(clock())
    const window = {
      oldestNs: BigInt(nowMs - retentionDays * DAY_MS) * NS_PER_MS,
      newestNs: BigInt(nowMs + DAY_MS) * NS_PER_MS,
    }
    using allowance = await quota.open(owner.accountId)
    const rejections = new Rejections()
    const parts = new SpanParts({ owner, nextVersion, memory, write: (rows) => writer.write(rows) })
    let turnEndsAt = performance.now() + TURN_MS
    for (const span of spans) {
      const problem =
        span instanceof UnreadableSpan
          ? span.reason
          : (findProblem(span.span, window) ?? allowance.take())
      if (problem !== undefined) rejections.add(problem)
      else if (!(span instanceof UnreadableSpan)) {
        parts.add(toStoredSpan(span))
        if (parts.isFull) {
          await parts.store()
          allowance.keep()
        }
      }
      if (performance.now() < turnEndsAt) continue
      await nextTurn()
      turnEndsAt = performance.now() + TURN_MS
    }
    await parts.store()
    allowance.keep()
    countSpans(parts.storedCount, { outcome: 'stored' })
    if (rejections.total > 0) countSpans(rejections.total, { outcome: 'rejected' })
    const messages = [rejections.message, allowance.warning() ?? ''].filter((text) => text !== '')
    if (messages.length === 0) return {}
    return {
      partialSuccess: {
        rejectedSpans: BigInt(rejections.total),
        errorMessage: messages.join('; '),
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
