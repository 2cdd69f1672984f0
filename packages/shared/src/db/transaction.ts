import { setTimeout as delay } from 'node:timers/promises'

import type { ControlledTransaction, IsolationLevel, Transaction } from 'kysely'

import { backoffMs } from '../waiting.ts'
import type { Database } from './database.ts'
import { isContention } from './database-error.ts'

/** How a transaction runs. */
export interface TransactionOptions {
  /** The server's default (read committed) when unset. */
  readonly isolationLevel?: IsolationLevel
  /**
   * How often to run the body again after a serialization failure or a deadlock; default 0. Only
   * for a body whose effects are all in the transaction.
   */
  readonly retries?: number
}

/** The channels to notify once a transaction has committed. */
const channelsOf = new WeakMap<object, Set<string>>()

/**
 * Has the listeners of a channel told soon after `trx` has committed. A hint, which may be lost:
 * they poll as well.
 */
export function notifyOnCommit<Schema>(trx: Transaction<Schema>, channel: string): void {
  const channels = channelsOf.get(trx)
  if (!channels) throw new Error('only a handle of transaction() can notify on its commit')
  channels.add(channel)
}

/**
 * Commits when `body` resolves, rolls back when it rejects. The handle dies with the transaction:
 * using it later throws, and so does using `db` instead of it inside the body.
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
      await delay(backoffMs(failures, { firstMs: 10, mostMs: 1_000 }))
    }
  }
}

async function runOnce<Schema, Result>(
  db: Database<Schema>,
  body: (trx: Transaction<Schema>) => Promise<Result>,
  options: TransactionOptions,
): Promise<Result> {
  const builder = db.startTransaction()
  // A controlled transaction, since Kysely's callback form lets a leaked handle reach the
  // connection's next user.
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

/**
 * The error that led here tells more than one of the rollback, after which the connection is thrown
 * away anyway.
 */
async function rollback<Schema>(trx: ControlledTransaction<Schema>): Promise<void> {
  await trx
    .rollback()
    .execute()
    .catch(() => {})
}
