import { once } from 'node:events'
import { connect, createServer } from 'node:net'

import { freePorts, testDatabase } from '@slipway/testing'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

import type { Migration } from '../src/db/index.ts'
import { migrateDatabase } from '../src/database-commands.ts'

const migrations: Record<string, Migration> = {
  '20260101T0000-create': {
    up: async (db) => void (await sql`CREATE TABLE entry (name text)`.execute(db)),
  },
  '20260102T0000-title': {
    up: async (db) => void (await sql`ALTER TABLE entry ADD COLUMN title text`.execute(db)),
  },
}

/** Runs the command and returns its lines, without the address, which every line names. */
async function linesOf(url: string, known: Record<string, Migration>): Promise<string[]> {
  const lines: string[] = []
  const report = (line: string) => void lines.push(line)
  await migrateDatabase({ service: 'test', url }, known, { report })
  const { hostname, port } = new URL(url)
  return lines.map((line) => line.replace(`the database at ${hostname}:${port}: `, ''))
}

test('reports the migrations that ran, or why there was nothing to do', async () => {
  await using database = await testDatabase({ migrations: {} })
  const [first = ''] = Object.keys(migrations)
  const older = { [first]: migrations[first] ?? { up: async () => {} } }
  expect(await linesOf(database.url, older)).toEqual(['applied 20260101T0000-create'])
  expect(await linesOf(database.url, migrations)).toEqual(['applied 20260102T0000-title'])
  expect(await linesOf(database.url, migrations)).toEqual(['the schema is up to date'])
  expect(await linesOf(database.url, older)).toEqual([
    'the schema is newer than this release, which can work with it: it also has ' +
      '20260102T0000-title. Nothing was changed',
  ])
})

test('waits for a database that starts later, and says for which', async () => {
  await using database = await testDatabase({ migrations: {} })
  const [port = 0] = await freePorts(1)
  const target = new URL(database.url)
  await using server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    near.on('error', () => far.destroy()).pipe(far)
    far.on('error', () => near.destroy()).pipe(near)
  })
  const url = new URL(database.url)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  const lines: string[] = []
  const waiting = Promise.withResolvers<void>()
  const report = (line: string) => {
    lines.push(line)
    waiting.resolve()
  }
  const command = migrateDatabase({ service: 'test', url: url.href }, migrations, { report })
  await waiting.promise
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  await command
  expect(lines).toEqual([
    `waiting for the database at 127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}`,
    `the database at 127.0.0.1:${port}: applied ${Object.keys(migrations).join(', ')}`,
  ])
})

test('fails with the address and the remedy if the database never answers', async () => {
  const [port = 0] = await freePorts(1)
  const url = `postgres://slipway:hunter2@127.0.0.1:${port}/slipway`
  const report = () => {}
  const command = migrateDatabase({ service: 'test', url }, {}, { report, timeoutMs: 1500 })
  await expect(command).rejects.toThrow(
    `the database at 127.0.0.1:${port} did not answer for 2 s: connect ECONNREFUSED ` +
      `127.0.0.1:${port}. Check DATABASE_URL, and that the server runs and can be reached`,
  )
  await expect(command).rejects.not.toThrow('hunter2')
})

test('a wrong password fails at once, and is not printed', async () => {
  await using database = await testDatabase({ migrations: {} })
  const url = new URL(database.url)
  url.username = 'no_such_user'
  url.password = 'hunter2'
  const lines: string[] = []
  const report = (line: string) => void lines.push(line)
  const command = migrateDatabase({ service: 'test', url: url.href }, {}, { report })
  await expect(command).rejects.toThrow('no_such_user')
  await expect(command).rejects.not.toThrow('hunter2')
  expect(lines).toEqual([])
})
