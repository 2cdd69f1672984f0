import { createHash, randomBytes } from 'node:crypto'

import { Client } from 'pg'

import { createDatabase, migrate, type Migration } from '@slipway/shared/db'

/** The content of a test database. */
export interface TestDatabaseOptions {
  readonly migrations: Readonly<Record<string, Migration>>
}

/** A separate database for a test file, dropped when it is disposed of. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string
}

/**
 * Creates a database from a template to which the migrations were applied. The template is created
 * once per set of migrations, and copying it takes a tenth of a second. Needs the server of
 * POSTGRES_ADMIN_URL.
 */
export async function testDatabase(options: TestDatabaseOptions): Promise<TestDatabase> {
  const adminUrl = process.env['POSTGRES_ADMIN_URL']
  if (!adminUrl)
    throw new Error(
      'POSTGRES_ADMIN_URL is not set: run tests with `./dev test`, which starts Postgres',
    )
  const template = await ensureTemplate(adminUrl, options.migrations)
  const name = `test_${randomBytes(8).toString('hex')}`
  await asAdmin(adminUrl, (admin) => admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`))
  return {
    url: urlOf(adminUrl, name),
    [Symbol.asyncDispose]: () =>
      asAdmin(adminUrl, async (admin) => {
        await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      }),
  }
}

async function ensureTemplate(
  adminUrl: string,
  migrations: TestDatabaseOptions['migrations'],
): Promise<string> {
  const source = Object.entries(migrations).map(
    // oxlint-disable-next-line typescript/unbound-method -- only its source text is used
    ([name, migration]) => `${name}:${String(migration.up)}`,
  )
  const hash = createHash('sha256').update(source.join('\n')).digest('hex')
  const template = `template_${hash.slice(0, 24)}`
  await asAdmin(adminUrl, async (admin) => {
    // Test files run in parallel: the first creates the template, the others wait for it.
    await admin.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [template])
    const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [template])
    if (rowCount) return
    const draft = `${template}_draft`
    await admin.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`)
    await admin.query(`CREATE DATABASE ${draft}`)
    {
      await using db = createDatabase({
        url: urlOf(adminUrl, draft),
        applicationName: 'test template',
        poolSize: 1,
      })
      await migrate(db, migrations)
    }
    // Renamed last, so that an existing template is complete.
    await admin.query(`ALTER DATABASE ${draft} RENAME TO ${template}`)
  })
  return template
}

async function asAdmin<Result>(
  adminUrl: string,
  work: (admin: Client) => Promise<Result>,
): Promise<Result> {
  const admin = new Client({ connectionString: adminUrl, application_name: 'test admin' })
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}

function urlOf(adminUrl: string, database: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${database}`
  return url.href
}
