import { testDatabase, type TestDatabase } from '@slipway/testing'
import type { Generated } from 'kysely'

import { createDatabase, type Database } from '../../src/db/index.ts'
import { Unavailable } from '../../src/errors.ts'

export interface ItemSchema {
  item: { id: Generated<number>; name: string; size: number }
}

const MIGRATIONS = {
  '20260101T0000-item': {
    up: async (db: { schema: Database<unknown>['schema'] }) => {
      await db.schema
        .createTable('item')
        .addColumn('id', 'bigint', (column) => column.primaryKey().generatedAlwaysAsIdentity())
        .addColumn('name', 'text', (column) => column.notNull().unique())
        .addColumn('size', 'bigint', (column) => column.notNull())
        .execute()
    },
  },
}

/** A database with a table of items, and a handle on it. */
export interface ItemsFixture extends AsyncDisposable {
  readonly server: TestDatabase
  readonly db: Database<ItemSchema>
  /** The names of all items, sorted. */
  names(): Promise<string[]>
}

/** Creates the database. */
export async function itemsFixture(): Promise<ItemsFixture> {
  await using stack = new AsyncDisposableStack()
  const server = stack.use(await testDatabase({ migrations: MIGRATIONS }))
  const db = stack.use(
    createDatabase<ItemSchema>({ url: server.url, applicationName: 'db test', poolSize: 4 }),
  )
  const resources = stack.move()
  return {
    server,
    db,
    async names() {
      const rows = await db.selectFrom('item').select('name').orderBy('name').execute()
      return rows.map(({ name }) => name)
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** The reason if the work rejects with Unavailable, another error as text, or `resolved`. */
export async function reasonOf(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => 'resolved',
    (error: unknown) => (error instanceof Unavailable ? error.reason : String(error)),
  )
}
