import { setImmediate } from 'node:timers/promises'

import { FairQueue } from '@slipway/shared/fair-queue'

/** Waiting calls have a turn for the database, so they are few. */
const WAITING = { total: Infinity, perUser: Infinity, perAccount: Infinity }

/**
 * Lets specs be read one at a time, and users take turns: a hostile one takes milliseconds of
 * processor time, and several in a row would delay everything else.
 */
export function createSpecQueue(): FairQueue {
  return new FairQueue({
    running: { total: 1, perUser: 1, perAccount: 1 },
    waiting: WAITING,
    refusal: () => new Error('the queue of specs is full'),
  })
}

/** Reads a spec when it is the user's turn, and after what has arrived since the one before. */
export async function readInTurn<Result>(
  queue: FairQueue,
  user: string,
  read: () => Result,
): Promise<Result> {
  using _turn = await queue.wait({ user })
  await setImmediate()
  return read()
}
