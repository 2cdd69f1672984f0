import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '@nats-io/transport-node'
import { startDaemon, stopDaemon, waitUntil } from '../process/daemon.ts'
import { daemonStatuses } from '../process/daemon-status.ts'
import type { Part } from '../stack/part.ts'
import { ensureDirectory } from '../stack/stack.ts'
import { buildTool } from '../install/toolchain.ts'

const DAEMON = 'nats'
const PORT = 4222
const SERVER_URL = `nats://127.0.0.1:${PORT}`

/** The NATS server; JetStream stores its data in the state directory. */
export const natsPart: Part = {
  name: 'nats',
  needs: [],

  ports: (stack) =>
    stack.settings.external.NATS_URL === undefined
      ? [{ host: '127.0.0.1', port: PORT, daemon: DAEMON }]
      : [],

  async up(stack, log) {
    const replaced = stack.settings.external.NATS_URL
    if (replaced !== undefined) return { NATS_URL: replaced }
    const directory = await buildTool(stack, 'nats-server', log)
    const store = join(stack.stateDir, 'nats')
    ensureDirectory(stack, store)
    const configFile = join(stack.runDir, 'nats.conf')
    writeFileSync(configFile, configuration(store))
    await startDaemon(stack, {
      name: DAEMON,
      command: join(directory, 'nats-server'),
      args: ['--config', configFile],
      ...stack.owner,
    })
    await waitUntil('JetStream is ready', hasJetStream, {
      timeoutMs: 30_000,
      daemon: DAEMON,
      stack,
    })
    return { NATS_URL: SERVER_URL }
  },

  down: (stack) => stopDaemon(stack, DAEMON),

  async status(stack) {
    if (stack.settings.external.NATS_URL !== undefined) return [{ name: DAEMON, state: 'external' }]
    return daemonStatuses(stack, [DAEMON])
  },
}

function configuration(store: string): string {
  return `server_name: slipway
listen: "127.0.0.1:${PORT}"
jetstream {
  store_dir: ${JSON.stringify(store)}
  max_memory_store: 64MB
  max_file_store: 2GB
}
`
}

async function hasJetStream(): Promise<boolean> {
  try {
    const connection = await connect({ servers: SERVER_URL, timeout: 2000, reconnect: false })
    const ready = connection.info?.jetstream === true
    await connection.close()
    return ready
  } catch {
    return false
  }
}
