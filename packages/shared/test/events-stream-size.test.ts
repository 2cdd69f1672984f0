import { jetstreamManager } from '@nats-io/jetstream'
import { testNats, waitFor } from '@slipway/testing'
import { expect, test } from 'vitest'

import { connectNats, EVENT_STREAM } from '../src/events/index.ts'
import { createLogger } from '../src/logger.ts'

const MIB = 1024 * 1024
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
  const { connection } = await nats.session(AbortSignal.timeout(10_000))
  for (let index = 1; index <= 40; index += 1)
    await connection.request(`slipway.build.a.b.e${index}`, new Uint8Array(64 * 1024))
  const { state } = await (await jetstreamManager(connection)).streams.info(EVENT_STREAM)
  expect(state.bytes).toBeLessThanOrEqual(MIB)
  expect([state.first_seq > 1, state.last_seq]).toEqual([true, 40])
})
