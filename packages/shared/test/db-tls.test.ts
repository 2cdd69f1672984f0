import { testAuthority, waitFor, type TestAuthority } from '@slipway/testing'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { createDatabase } from '../src/db/index.ts'

const adminUrl = process.env['POSTGRES_ADMIN_URL'] ?? ''

let authority: TestAuthority
let stranger: TestAuthority

// Plaintext connections of other tests stay possible.
beforeAll(async () => {
  authority = await testAuthority()
  stranger = await testAuthority()
  const { chainFile, keyFile } = await authority.issue('localhost')
  await configure([
    `ALTER SYSTEM SET ssl_cert_file = '${chainFile}'`,
    `ALTER SYSTEM SET ssl_key_file = '${keyFile}'`,
    'ALTER SYSTEM SET ssl = on',
  ])
  await waitFor(async () => (await isEncrypted(secureUrl(authority))) === true, {
    what: 'Postgres to use TLS',
  })
})
afterAll(async () => {
  await configure(
    ['ssl', 'ssl_cert_file', 'ssl_key_file'].map((name) => `ALTER SYSTEM RESET ${name}`),
  )
  await authority[Symbol.asyncDispose]()
  await stranger[Symbol.asyncDispose]()
})

async function configure(statements: readonly string[]): Promise<void> {
  const admin = new Client({ connectionString: adminUrl })
  await admin.connect()
  for (const statement of [...statements, 'SELECT pg_reload_conf()']) await admin.query(statement)
  await admin.end()
}

function secureUrl({ caFile }: TestAuthority, host = 'localhost'): string {
  const url = new URL(adminUrl)
  url.hostname = host
  url.search = new URLSearchParams({ sslmode: 'verify-full', sslrootcert: caFile }).toString()
  return url.href
}

/** Whether both kinds of connections of a database handle use TLS. */
async function isEncrypted(url: string): Promise<boolean> {
  await using db = createDatabase<unknown>({ url, applicationName: 'TLS test', poolSize: 1 })
  const { rows } = await sql<{ ssl: boolean }>`
    SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`.execute(db)
  const single = await db.openConnection('single')
  const other = await single.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
  await single.end()
  return rows[0]?.ssl === true && other.rows[0]?.ssl === true
}

test('sslmode=verify-full with sslrootcert encrypts all connections', async () => {
  expect(await isEncrypted(secureUrl(authority))).toBe(true)
  expect(await isEncrypted(adminUrl)).toBe(false)
})

test('a certificate of another authority, or for another host, is refused', async () => {
  await expect(isEncrypted(secureUrl(stranger))).rejects.toThrow('certificate')
  await expect(isEncrypted(secureUrl(authority, '127.0.0.1'))).rejects.toThrow('altnames')
})
