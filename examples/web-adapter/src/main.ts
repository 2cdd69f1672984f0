import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseConfig } from './config.ts'
import { log } from './log.ts'
import { createProxy } from './proxy.ts'

// Kubernetes stops a pod and removes it from its Service at the same time, so requests still arrive
// for a moment. The sum is below the 30 s after which Kubernetes kills a pod.
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
  // Clients with a kept-alive connection must open a new one, which reaches another pod.
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
