import { createHash } from 'node:crypto'

import { testDatabase } from '@slipway/testing'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { createDatabase } from '../src/db/index.ts'
import { idempotencyMigration, idempotencyOwnerMigration } from '../src/idempotency/index.ts'
import { findResponse, insertResponse } from '../src/idempotency/store.ts'

const MIB = 1024 * 1024
const hashOf = (text: string) => createHash('sha256').update(text).digest()

test('keeps the newest 16 MiB of the responses of a user', async () => {
  const migrations = { '1': idempotencyMigration, '2': idempotencyOwnerMigration }
  await using database = await testDatabase({ migrations })
  await using db = createDatabase<unknown>({ url: database.url, applicationName: 'test' })
  const store = async (user: string, key: string, bytes: number) => {
    const scope = hashOf(`${user} ${key}`)
    await insertResponse(db, {
      scope,
      owner: hashOf(user),
      fingerprint: 'f',
      response: new Uint8Array(bytes),
    })
    return scope
  }
  const first = await store('eve', 'first', 10)
  const ofBystander = await store('bob', 'first', 10)
  let last = first
  for (let index = 0; index < 20; index += 1) last = await store('eve', `large-${index}`, MIB)
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM idempotency_key
    WHERE owner = ${hashOf('eve')}`.execute(db)
  // Each has a little more than one MiB.
  expect(rows).toEqual([{ count: 15 }])
  expect(await findResponse(db, first)).toBeUndefined()
  expect((await findResponse(db, last))?.response).toHaveLength(MIB)
  expect(await findResponse(db, ofBystander)).toBeDefined()
})
