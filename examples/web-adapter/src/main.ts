import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseConfig } from './config.ts'
import { log } from './log.ts'
import { createProxy } from './proxy.ts'

// A pod is told to stop and taken out of its Service at the same time: requests keep coming for a
// moment. Both together are less than the 30 s that a pod is given.
const KEEP_ACCEPTING_MS = 2_000
const FINISH_WITHIN_MS = 25_000

async function run(): Promise<void> {
  const config = parseConfig(process.env)
  const server = createProxy(config)
  server.listen(config.port, config.host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  log('info', 'adapter_started', { port, agent: config.agentUrl.origin })

  const signal = await Promise.race(
    ['SIGTERM', 'SIGINT'].map((name) => once(process, name).then(() => name)),
  )
  log('info', 'adapter_stopping', { signal })
  await stop(server)
  log('info', 'adapter_stopped')
}

async function stop(server: Server): Promise<void> {
  // Clients that keep their connection must make a new one, which goes elsewhere.
  server.prependListener('request', (_incoming, outgoing) =>
    outgoing.setHeader('connection', 'close'),
  )
  await sleep(KEEP_ACCEPTING_MS)
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeIdleConnections()
  const late = setTimeout(() => server.closeAllConnections(), FINISH_WITHIN_MS)
  await closed
  clearTimeout(late)
}

run().catch((error: unknown) => {
  log('error', 'adapter_failed', { error: error instanceof Error ? error.message : String(error) })
  process.exitCode = 1
})
