import { setTimeout as delay } from 'node:timers/promises'

import type { ControlledTransaction, IsolationLevel, Transaction } from 'kysely'

import { backoffMs } from '../waiting.ts'
import type { Database } from './database.ts'
import { isContention } from './database-error.ts'

export interface TransactionOptions {
  /** Defaults to the server's, read committed. */
  readonly isolationLevel?: IsolationLevel
  /**
   * How many times to run the body again after a serialization failure or a deadlock; default 0.
   * The body must have no effects outside the transaction.
   */
  readonly retries?: number
}

/** The channels to notify once a transaction has committed. */
const channelsOf = new WeakMap<object, Set<string>>()

/**
 * Notifies the listeners of a channel soon after `trx` has committed. Notifications can be lost, so
 * listeners must poll as well.
 */
export function notifyOnCommit<Schema>(trx: Transaction<Schema>, channel: string): void {
  const channels = channelsOf.get(trx)
  if (!channels)
    throw new Error('notifyOnCommit requires the handle that transaction() passes to its body')
  channels.add(channel)
}

/**
 * Runs `body` in a transaction: commits when it resolves, rolls back when it rejects. Using the
 * handle after the transaction throws. So does using `db` inside the body.
 */
export async function transaction<Schema, Result>(
  db: Database<Schema>,
  body: (trx: Transaction<Schema>) => Promise<Result>,
  options: TransactionOptions = {},
): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await runOnce(db, body, options)
    } catch (error) {
      if (failures >= (options.retries ?? 0) || !isContention(error)) throw error
      await delay(backoffMs(failures, { firstMs: 10, maxMs: 1_000 }))
    }
  }
}

async function runOnce<Schema, Result>(
  db: Database<Schema>,
  body: (trx: Transaction<Schema>) => Promise<Result>,
  options: TransactionOptions,
): Promise<Result> {
  const builder = db.startTransaction()
  // With Kysely's callback form, a leaked handle could use the connection of its next user.
  const trx = await (
    options.isolationLevel ? builder.setIsolationLevel(options.isolationLevel) : builder
  ).execute()
  const channels = new Set<string>()
  channelsOf.set(trx, channels)
  try {
    const result = await db.runTransaction(() => body(trx))
    await trx.commit().execute()
    for (const channel of channels) db.notifySoon(channel)
    return result
  } catch (error) {
    await rollback(trx)
    throw error
  }
}

/** Ignores errors: the original error is more useful, and the connection is discarded anyway. */
async function rollback<Schema>(trx: ControlledTransaction<Schema>): Promise<void> {
  await trx
    .rollback()
    .execute()
    .catch(() => {})
}
