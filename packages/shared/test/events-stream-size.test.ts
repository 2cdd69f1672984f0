import { jetstreamManager } from '@nats-io/jetstream'
import { testNats, waitFor } from '@slipway/testing'
import { expect, test } from 'vitest'

import { connectNats, EVENT_STREAM } from '../src/events/index.ts'
import { createLogger } from '../src/logging/logger.ts'

const MIB = 1024 * 1024
/** Longer than the client's default of 1 s for a request. */
const PATIENCE_MS = 60_000
const logger = createLogger('test', 'silent')

test('a full event stream drops its oldest events', async () => {
  await using server = await testNats()
  const options = { url: server.url, name: 'test', logger }
  {
    await using unbounded = connectNats(options)
    await waitFor(() => unbounded.isReady, { what: 'the streams' })
  }
  // An existing stream gets the setting, too.
  await using nats = connectNats({ ...options, streamMaxBytes: MIB })
  const { connection } = await nats.session(AbortSignal.timeout(PATIENCE_MS))
  for (let index = 1; index <= 40; index += 1)
    await connection.request(`slipway.build.a.b.e${index}`, new Uint8Array(64 * 1024), {
      timeout: PATIENCE_MS,
    })
  const { state } = await (await jetstreamManager(connection)).streams.info(EVENT_STREAM)
  expect(state.bytes).toBeLessThanOrEqual(MIB)
  expect([state.first_seq > 1, state.last_seq]).toEqual([true, 40])
})

test('a server without room for the size keeps its stream, and gets events', async () => {
  await using server = await testNats({ config: 'jetstream { max_file_store: 100MB }' })
  const options = { url: server.url, name: 'test', logger }
  {
    // As an older release left it.
    await using small = connectNats({ ...options, streamMaxBytes: MIB })
    const { connection } = await small.session(AbortSignal.timeout(PATIENCE_MS))
    const { streams } = await jetstreamManager(connection)
    await streams.update(EVENT_STREAM, { max_bytes: -1 })
  }
  await using nats = connectNats(options)
  const { connection } = await nats.session(AbortSignal.timeout(PATIENCE_MS))
  await connection.request('slipway.build.a.b.e1', '{}', { timeout: PATIENCE_MS })
  const { config, state } = await (await jetstreamManager(connection)).streams.info(EVENT_STREAM)
  expect([config.max_bytes, state.messages]).toEqual([-1, 1])
})
