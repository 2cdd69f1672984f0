import type { SpanOwner } from '../../domain/span.ts'
import type { SpanQuota } from '../../quota/span-quota.ts'
import type { Retention } from '../../retention/retention.ts'
import { queueOwner, type Reservation } from './ingest-memory.ts'
import type { IngestTurns } from './ingest-turns.ts'
import { Rejections } from './rejections.ts'
import { InsertBatch } from './insert-batch.ts'
import type { SentRecord, Signal } from './signal.ts'
import type { InsertQueue } from './insert-queue.ts'
import { UnreadableRecord } from '../decode/unreadable-record.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NS_PER_MS = 1_000_000n

/** The dependencies of the ingest of a signal. */
export interface IngestDependencies {
  readonly queue: Pick<InsertQueue, 'write'>
  readonly quota: SpanQuota
  readonly turns: IngestTurns
  readonly retention: Retention
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** What a sender is informed of when its records are stored. */
export interface IngestResult {
  readonly rejected: number
  /** Why they were rejected, and warnings; empty if there are neither. */
  readonly message: string
}

/**
 * Stores the records of one owner. Takes the memory that this needs beyond that of the encoded
 * records. Throws RateLimited when there is none; some of the records may be stored then.
 */
export type Ingest<Decoded> = (
  owner: SpanOwner,
  records: Iterable<SentRecord<Decoded>>,
  memory: Pick<Reservation, 'grow' | 'shrinkBy'>,
) => Promise<IngestResult>

/** Creates the function that the HTTP and gRPC listeners share. */
export function createIngest<Decoded extends object, Stored>(
  dependencies: IngestDependencies,
  signal: Signal<Decoded, Stored>,
): Ingest<Decoded> {
  const { queue, quota, turns, retention, clock } = dependencies
  const nextVersion = createVersions(clock)
  return async (owner, records, memory) => {
    const nowMs = Math.trunc(clock())
    const retentionDays = retention.daysOf(owner.accountId)
    const window = {
      oldestNs: BigInt(nowMs - retentionDays * DAY_MS) * NS_PER_MS,
      newestNs: BigInt(nowMs + DAY_MS) * NS_PER_MS,
      nowNs: BigInt(nowMs) * NS_PER_MS,
    }
    using turn = turns.open(queueOwner(owner))
    using allowance = await quota.open(owner.accountId)
    const rejections = new Rejections()
    const batch = new InsertBatch<Stored>({
      blockOf: (stored) => signal.blockOf(owner, stored, nextVersion),
      memory,
      write: (block) => queue.write(block),
    })
    let ignored = 0
    await turn.next()
    for (const record of records) {
      if (record === undefined) ignored += 1
      else if (record instanceof UnreadableRecord) rejections.add(record.reason)
      else if (!('isPause' in record)) {
        const problem = signal.findProblem(record, window) ?? allowance.findProblem()
        if (problem !== undefined) rejections.add(problem)
        else {
          const stored = signal.toStored(record, window)
          const length = lengthOf(signal.textsOf(stored))
          const excess = allowance.take(length)
          if (excess === undefined) batch.add(stored, length)
          else rejections.add(excess)
        }
      }
      if (batch.isFull) {
        turn.end()
        await batch.store()
        allowance.keep()
        await turn.next()
      } else if (turn.needsPause) await turn.pause()
    }
    turn.end()
    await batch.store()
    allowance.keep()
    signal.count(batch.storedCount, { outcome: 'stored' })
    if (rejections.total > 0) signal.count(rejections.total, { outcome: 'rejected' })
    if (ignored > 0) signal.count(ignored, { outcome: 'ignored' })
    const messages = [rejections.message, allowance.warning() ?? ''].filter((text) => text !== '')
    return { rejected: rejections.total, message: messages.join('; ') }
  }
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0)
}

/** Microseconds since 1970, strictly increasing. */
function createVersions(clock: () => number): () => number {
  let last = 0
  return () => {
    last = Math.max(last + 1, Math.trunc(clock() * 1000))
    return last
  }
}
