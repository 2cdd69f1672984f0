import { jetstreamManager } from '@nats-io/jetstream'
import { freePorts, testNats, waitFor } from '@slipway/testing'
import { expect, test } from 'vitest'

import { connectNats } from '../src/events/index.ts'
import { createLogger } from '../src/logging/logger.ts'

const logger = createLogger('test', 'silent')

test('streams get copies in a cluster, which a smaller setting does not remove', async () => {
  await using servers = new AsyncDisposableStack()
  const ports = await freePorts(3)
  const routes = ports.map((port) => `nats://127.0.0.1:${port}`).join(', ')
  const started = await Promise.all(
    ports.map(async (port, index) => {
      const cluster = `cluster { name: test, listen: "127.0.0.1:${port}", routes: [${routes}] }`
      return servers.use(await testNats({ config: `server_name: s${index}\n${cluster}` }))
    }),
  )
  const url = started.map((server) => server.url).join(',')

  /** The copies of each stream, after a service with this setting has started. */
  async function copiesAfter(streamReplicas?: number): Promise<readonly number[]> {
    await using nats = connectNats({
      url,
      name: 'test',
      logger,
      ...(streamReplicas !== undefined && { streamReplicas }),
    })
    await waitFor(() => nats.isReady, { what: 'the streams' })
    const { connection } = await nats.session(AbortSignal.timeout(60_000))
    const { streams } = await jetstreamManager(connection)
    // A stream is missing in the list while its servers elect a leader.
    return await waitFor(
      async () => {
        const found = await streams.list().next()
        return found.length === 2 ? found.map(({ config }) => config.num_replicas) : undefined
      },
      { what: 'the list of streams' },
    )
  }

  expect(await copiesAfter()).toEqual([1, 1])
  expect(await copiesAfter(3)).toEqual([3, 3])
  expect(await copiesAfter(1)).toEqual([3, 3])
})
