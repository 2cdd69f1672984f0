import { createDatabase, transaction } from '@slipway/shared/db'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool } from 'pg'

import { repeat, type StartSide } from '../side.ts'

/** One after another, so that elapsed time shows the round trips. */
const IN_FLIGHT = 1
const POOL_SIZE = 10

const statement = sql`INSERT INTO notes (text) VALUES (${'a note'})`

/** Transactions of one statement on the database whose URL is the input. */
export const sides: Readonly<Record<string, StartSide>> = {
  slipway: (url) => {
    const db = createDatabase({ url, applicationName: 'bench', poolSize: POOL_SIZE })
    const run = () => transaction(db, async (trx) => await statement.execute(trx))
    return { run: (count) => repeat(count, IN_FLIGHT, run) }
  },
  // With an isolation level, BEGIN is a separate statement, which isn't combined with the next one.
  'BEGIN awaited': (url) => {
    const db = createDatabase({ url, applicationName: 'bench', poolSize: POOL_SIZE })
    const options = { isolationLevel: 'read committed' } as const
    const run = () => transaction(db, async (trx) => await statement.execute(trx), options)
    return { run: (count) => repeat(count, IN_FLIGHT, run) }
  },
  kysely: (url) => {
    const pool = new Pool({ connectionString: url, max: POOL_SIZE })
    const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
    const run = () => db.transaction().execute(async (trx) => await statement.execute(trx))
    return { run: (count) => repeat(count, IN_FLIGHT, run) }
  },
}
