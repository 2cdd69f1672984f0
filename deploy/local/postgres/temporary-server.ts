import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { freePorts } from '@slipway/testing/free-ports'
import { dataDirectory, initializeServer, serverCommand } from './server.ts'
import type { StackDirectories } from '../stack/stack.ts'

const ADMINISTRATOR = 'slipway_admin'
const START_TIMEOUT_MS = 30_000

/** A Postgres that is independent of any stack; disposing of it deletes its data. */
export interface TemporaryPostgres extends AsyncDisposable {
  readonly adminUrl: string
}

/** Starts a Postgres on a free port, with its data in a temporary directory. */
export async function startTemporaryPostgres({
  owner,
}: Pick<StackDirectories, 'owner'>): Promise<TemporaryPostgres> {
  const stateDir = mkdtempSync(join(tmpdir(), 'slipway-postgres-'))
  chmodSync(stateDir, 0o755)
  const place = { stateDir, owner }
  const password = randomBytes(16).toString('hex')
  initializeServer(place, ADMINISTRATOR, password)
  const [port = 0] = await freePorts(1)
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=300',
    'shared_buffers=256MB',
  ]
  const [command = '', ...args] = serverCommand(place, 'postgres', [
    '-D',
    dataDirectory(place),
    ...settings.flatMap((setting) => ['-c', setting]),
  ])
  const server = spawn(command, args, { stdio: 'ignore', detached: true })
  const ended = once(server, 'exit')
  const stop = async (): Promise<void> => {
    // INT ends sessions; TERM would wait for every client to disconnect.
    if (server.exitCode === null && server.signalCode === null) server.kill('SIGINT')
    await ended
    rmSync(stateDir, { recursive: true, force: true })
  }
  const adminUrl = `postgres://${ADMINISTRATOR}:${password}@127.0.0.1:${port}/postgres`
  try {
    await untilItAccepts(adminUrl)
  } catch (error) {
    await stop()
    throw error
  }
  return { adminUrl, [Symbol.asyncDispose]: stop }
}

async function untilItAccepts(adminUrl: string): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS
  for (;;) {
    const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 2000 })
    try {
      await client.connect()
      return
    } catch (cause) {
      if (performance.now() > deadline)
        throw new Error('Postgres does not accept connections', { cause })
      await delay(50)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}
