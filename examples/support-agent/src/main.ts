import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Chat } from './chat.ts'
import { parseConfig } from './config.ts'
import { indexArticles, readArticles } from './knowledge.ts'
import { log } from './log.ts'
import { createAgentServer } from './server.ts'
import { startTelemetry } from './telemetry.ts'

async function run(): Promise<void> {
  const config = parseConfig(process.env)
  const stopTelemetry = await startTelemetry(process.env)
  const knowledge = indexArticles(await readArticles(join(import.meta.dirname, '..', 'faq')))
  const agent = new Chat(knowledge, config.greeting)
  const server = createAgentServer(agent, config)
  server.listen(config.port)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  log('info', 'agent_started', {
    agent: config.agentName,
    build: config.build,
    port,
    knowledge: agent.status,
  })

  const signal = await Promise.race(
    ['SIGTERM', 'SIGINT'].map((name) => once(process, name).then(() => name)),
  )
  log('info', 'agent_stopping', { signal })
  // Finish running answers first, then send the last spans.
  await new Promise((resolve) => {
    server.close(resolve)
    server.closeIdleConnections()
  })
  await stopTelemetry()
  log('info', 'agent_stopped')
}

run().catch((error: unknown) => {
  log('error', 'agent_failed', { error: error instanceof Error ? error.message : String(error) })
  process.exitCode = 1
})
