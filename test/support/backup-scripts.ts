import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'

import type { DatabaseUrls } from './postgres-pods.ts'

const FOLDER = resolve(import.meta.dirname, '../../deploy/backup')
const run = promisify(execFile)

/** What the scripts back up or restore, and with what. */
export interface ScriptSettings {
  /** The folder of the backup. */
  readonly backup: string
  /** The folder with the programs of Postgres. */
  readonly programs: string
  readonly databases: DatabaseUrls
  /** CLICKHOUSE_URL or CLICKHOUSE_DATA_DIR. */
  readonly traceStore: Readonly<Record<string, string>>
}

/** Restores a backup. */
export async function restore(settings: ScriptSettings): Promise<void> {
  await runScript('restore.sh', settings)
}

/** Makes a backup; calls `beforeDump` with the name of each database before its dump begins. */
export async function backUp(
  settings: ScriptSettings,
  beforeDump: (database: string) => Promise<void>,
): Promise<void> {
  const hook = createServer((request, response) => {
    void text(request)
      .then((args) => beforeDump(/\/(\w+)$/.exec(args)?.[1] ?? ''))
      .then(
        () => response.end(),
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
  }).listen(0, '127.0.0.1')
  await once(hook, 'listening')
  try {
    const { port } = hook.address() as AddressInfo
    await runScript('backup.sh', settings, { BEFORE_DUMP: `http://127.0.0.1:${port}` })
  } finally {
    hook.close()
  }
}

async function runScript(
  name: 'backup.sh' | 'restore.sh',
  { backup, programs, databases, traceStore }: ScriptSettings,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  await run(`${FOLDER}/${name}`, [backup], {
    env: {
      ...process.env,
      PATH: `${programs}:${process.env['PATH']}`,
      CATALOG_DATABASE_URL: databases.catalog,
      DEPLOYER_DATABASE_URL: databases.deployer,
      OBSERVABILITY_DATABASE_URL: databases.observability,
      ...traceStore,
      ...env,
    },
  })
}
