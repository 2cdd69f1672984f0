import { FairQueue, type Full } from '@slipway/shared/fair-queue'

import { HttpProblem } from '../problem.ts'

const MIB = 1024 * 1024
const RETRY_AFTER_MS = 1_000
/** How many requests wait for their turn: of one user, and in total. */
const MAX_WAITING = { perUser: 256, perAccount: Infinity, total: 4_096 }

/** Users are charged for what responses have beyond this. */
const FREE_RESPONSE_BYTES = 256 * 1024

/** How much callers may have in progress at the same time: each of them, and all together. */
export interface PendingLimits {
  readonly bytes: { readonly perCaller: number; readonly total: number }
  readonly requests: { readonly perUser: number; readonly total: number }
  /** What a user gets of large responses. To produce a MiB takes about 10 ms of processor time. */
  readonly responseBytesPerSecond: number
}

/**
 * Counts the bytes that each caller's requests in progress and unread responses hold. A caller is a
 * user, or the address of an anonymous client.
 */
export function pendingBytes({
  bytes: { perCaller, total },
}: Pick<PendingLimits, 'bytes'>): FairQueue {
  return new FairQueue({
    running: { perUser: perCaller, perAccount: Infinity, total },
    refusal: ({ scope }) => (scope === 'total' ? overloaded() : tooManyBytes(perCaller)),
  })
}

/** Lets the requests of users run in turn: some of each user's, and some in total. */
export function requestTurns({ requests: { perUser, total } }: PendingLimits): FairQueue {
  return new FairQueue({
    running: { perUser, perAccount: Infinity, total },
    waiting: MAX_WAITING,
    refusal: ({ scope, chargedMs }: Full) =>
      scope === 'total' ? overloaded() : tooManyRequests(perUser, chargedMs),
  })
}

/** For how long a user is charged for a response, in milliseconds. */
export function chargeOf(
  responseBytes: number,
  { responseBytesPerSecond }: Pick<PendingLimits, 'responseBytesPerSecond'>,
): number {
  return (Math.max(0, responseBytes - FREE_RESPONSE_BYTES) / responseBytesPerSecond) * 1000
}

/**
 * The problem of a user whose requests wait: for each other, or for `chargedMs` because earlier
 * responses were large.
 */
export function tooManyRequests(perUser: number, chargedMs: number): HttpProblem {
  const message =
    chargedMs > 0
      ? 'your earlier responses were so large that further requests must wait; read less at a ' +
        `time, with filters or a lower limit, and retry in ${Math.ceil(chargedMs / 1000)} s`
      : `too many of your requests wait for their turn: ${perUser} run at the same time; ` +
        'send fewer at a time'
  const retryAfterMs = Math.max(RETRY_AFTER_MS, chargedMs)
  return new HttpProblem(429, 'too_many_requests', message, { retryAfterMs })
}

function tooManyBytes(perCaller: number): HttpProblem {
  const message =
    `your requests in progress and the responses you have not read hold more than ` +
    `${perCaller / MIB} MiB; read the responses before sending more requests`
  return new HttpProblem(429, 'too_many_pending_bytes', message, { retryAfterMs: RETRY_AFTER_MS })
}

function overloaded(): HttpProblem {
  return new HttpProblem(503, 'overloaded', 'too many requests in progress; retry later', {
    retryAfterMs: RETRY_AFTER_MS,
  })
}
