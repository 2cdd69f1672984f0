import type { createCounter } from '@slipway/shared/telemetry'

import type { SpanOwner } from '../../domain/span.ts'
import type { PAUSE } from '../decode/json-reader.ts'
import type { UnreadableRecord } from '../decode/unreadable-record.ts'

/**
 * What is in a request: a record, or one that can't be read, or one that isn't stored. PAUSE isn't
 * a record: a long request is being read, and the event loop may continue.
 */
export type SentRecord<Decoded> = Decoded | UnreadableRecord | undefined | typeof PAUSE

/** The earliest and the latest time of a record, and the time now. */
export interface TimeWindow {
  readonly oldestNs: bigint
  readonly newestNs: bigint
  readonly nowNs: bigint
}

/** How the records of one signal are stored: spans or log records. */
export interface Signal<Decoded, Stored> {
  /** Counts records, with the label `outcome`. */
  readonly count: ReturnType<typeof createCounter>
  /** Returns why a record can't be stored; undefined if it can. */
  findProblem(record: Decoded, window: TimeWindow): string | undefined
  toStored(record: Decoded, window: TimeWindow): Stored
  /** The long texts of a record, which make nearly all of its size. */
  textsOf(stored: Stored): readonly string[]
  /** Writes records as rows of the store. */
  blockOf(
    owner: SpanOwner,
    stored: readonly Stored[],
    nextVersion: () => number,
  ): Uint8Array<ArrayBuffer>
}
