import { testDatabase } from '@slipway/testing'
import { expect, test } from 'vitest'

import { stricterColumns } from './columns.ts'
import { restoreDatabase } from './dump-database.ts'
import { impossibleStatements } from './statements.ts'

const RELEASED = `
  CREATE TABLE agent (id integer UNIQUE, name text DEFAULT 'x', age integer, gone text);
  CREATE TABLE other (id integer)`
const STATEMENTS = [
  'SELECT name FROM agent WHERE id = $1',
  'INSERT INTO agent (id, name) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING',
  'SELECT FROM other',
]

/** Returns what is found after a release has changed the schema. */
async function found(changes: string) {
  await using released = await testDatabase({ migrations: {} })
  await using later = await testDatabase({ migrations: {} })
  await restoreDatabase(released.url, RELEASED)
  await restoreDatabase(later.url, `${RELEASED}; ${changes}`)
  return [
    await stricterColumns(released.url, later.url),
    await impossibleStatements(later.url, STATEMENTS),
  ]
}

test('finds nothing after additions', async () => {
  const added = `
    CREATE TABLE more (id integer NOT NULL);
    ALTER TABLE agent ADD COLUMN size integer NOT NULL DEFAULT 0, ADD COLUMN title text`
  expect(await found(added)).toEqual([[], []])
})

test('finds what an earlier release can no longer read or write', async () => {
  const changed = `
    DROP TABLE other;
    ALTER TABLE agent RENAME COLUMN gone TO kept;
    ALTER TABLE agent DROP CONSTRAINT agent_id_key, ADD COLUMN size integer NOT NULL,
      ALTER COLUMN name DROP DEFAULT, ALTER COLUMN name SET NOT NULL,
      ALTER COLUMN age TYPE bigint`
  expect(await found(changed)).toEqual([
    [
      'agent.name no longer accepts null',
      'agent.name needs a value',
      'agent.age is bigint instead of integer',
      'agent.gone is missing',
      'other.id is missing',
      'the new column agent.size needs a value',
    ],
    [
      'there is no unique or exclusion constraint matching the ON CONFLICT specification: ' +
        STATEMENTS[1],
      'relation "other" does not exist: SELECT FROM other',
    ],
  ])
})
