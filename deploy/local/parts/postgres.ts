import pg from 'pg'
import { startDaemon, stopDaemon, waitUntil } from '../process/daemon.ts'
import { daemonStatuses } from '../process/daemon-status.ts'
import type { Part } from '../stack/part.ts'
import { stackSecret } from '../stack/secrets.ts'
import type { ReplacementKey } from '../stack/settings.ts'
import type { Stack } from '../stack/stack.ts'
import { dataDirectory, initializeServer, serverCommand } from '../postgres/server.ts'

const DAEMON = 'postgres'
const PORT = 9432
const ADMINISTRATOR = 'slipway_admin'

const databases = [
  { name: 'catalog', key: 'CATALOG_DATABASE_URL' },
  { name: 'deployer', key: 'DEPLOYER_DATABASE_URL' },
  { name: 'observability', key: 'OBSERVABILITY_DATABASE_URL' },
] as const satisfies readonly { name: string; key: ReplacementKey }[]

/** One Postgres server with a database and an account for each service that stores data. */
export const postgresPart: Part = {
  name: 'postgres',
  needs: [],

  ports: (stack) =>
    own(stack).length > 0 ? [{ host: '127.0.0.1', port: PORT, daemon: DAEMON }] : [],

  async up(stack) {
    const env: Record<string, string> = {}
    for (const { key } of databases) env[key] = stack.settings.external[key] ?? ''
    if (own(stack).length === 0) return env
    const password = stackSecret(stack, 'postgres-admin')
    initializeServer(stack, ADMINISTRATOR, password)
    const [command = '', ...args] = serverCommand(stack, 'postgres', [
      '-D',
      dataDirectory(stack),
      ...settings({
        listen_addresses: '127.0.0.1',
        port: String(PORT),
        unix_socket_directories: '',
        max_connections: '300',
        shared_buffers: '64MB',
        log_line_prefix: '%m %d ',
        timezone: 'UTC',
      }),
    ])
    await startDaemon(stack, { name: DAEMON, command, args })
    const adminUrl = url(ADMINISTRATOR, password, 'postgres')
    await waitUntil('Postgres accepts connections', () => accepts(adminUrl), {
      timeoutMs: 30_000,
      daemon: DAEMON,
      stack,
    })
    for (const { name, key } of own(stack)) env[key] = await ensureDatabase(stack, adminUrl, name)
    return { ...env, POSTGRES_ADMIN_URL: adminUrl }
  },

  // INT ends sessions; TERM would wait for every client to disconnect.
  down: (stack) => stopDaemon(stack, DAEMON, { signal: 'SIGINT', graceMs: 20_000 }),

  async status(stack) {
    const replaced = databases
      .filter(({ key }) => stack.settings.external[key] !== undefined)
      .map(({ name }) => ({ name: `postgres (${name})`, state: 'external' as const }))
    return own(stack).length > 0 ? [...daemonStatuses(stack, [DAEMON]), ...replaced] : replaced
  },
}

function own(stack: Stack) {
  return databases.filter(({ key }) => stack.settings.external[key] === undefined)
}

function settings(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

function url(user: string, password: string, database: string): string {
  return `postgres://${user}:${password}@127.0.0.1:${PORT}/${database}`
}

async function accepts(adminUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 2000 })
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Creates a database that only its own account may use, and returns its URL. */
async function ensureDatabase(stack: Stack, adminUrl: string, name: string): Promise<string> {
  const password = stackSecret(stack, `postgres-${name}`)
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const [identifier, literal] = [client.escapeIdentifier(name), client.escapeLiteral(password)]
    const role = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [name])
    await client.query(
      `${role.rowCount === 0 ? 'CREATE' : 'ALTER'} ROLE ${identifier} LOGIN PASSWORD ${literal}`,
    )
    const database = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
    if (database.rowCount === 0)
      await client.query(`CREATE DATABASE ${identifier} OWNER ${identifier}`)
    await client.query(`REVOKE ALL ON DATABASE ${identifier} FROM public`)
  } finally {
    await client.end()
  }
  return url(name, password, name)
}
