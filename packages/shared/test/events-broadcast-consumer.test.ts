import { jetstreamManager } from '@nats-io/jetstream'
import { assertNoLeaks, waitFor } from '@slipway/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { EVENT_STREAM, startBroadcastConsumer } from '../src/events/index.ts'
import { eventsFixture, label, seen, type EventsFixture } from './support/events-fixture.ts'

let leaks: AsyncDisposable
let fixture: EventsFixture

beforeEach(async () => {
  leaks = assertNoLeaks()
  fixture = await eventsFixture()
})
afterEach(async () => {
  await fixture[Symbol.asyncDispose]()
  await leaks[Symbol.asyncDispose]()
})

describe('broadcast consumer', () => {
  function broadcast(log: string[]): AsyncDisposable {
    return fixture.use(
      startBroadcastConsumer({
        ...fixture,
        filterSubjects: ['slipway.deployment.>'],
        onEvent: (event) => log.push(label(event)),
        onReset: () => log.push('reset'),
      }),
    )
  }

  test('delivers new events to each replica, after a reset', async () => {
    fixture.relay()
    await fixture.append('a')
    await waitFor(async () => (await fixture.published()).length === 1, { what: 'the first event' })
    const logs: string[][] = [[], []]
    logs.forEach(broadcast)
    await Promise.all(logs.map((log) => seen(log, 1)))
    await fixture.append('a')
    await fixture.append('a')
    await Promise.all(logs.map((log) => seen(log, 3)))
    expect(logs).toEqual([
      ['reset', 'a2', 'a3'],
      ['reset', 'a2', 'a3'],
    ])
  })

  test.each([
    ['restarted', { kill: true }],
    ['wiped', { kill: true, wipe: true }],
  ])('resets when NATS was %s, and continues', async (_how, options) => {
    fixture.relay()
    const log: string[] = []
    broadcast(log)
    await seen(log, 1)
    await fixture.append('a')
    await seen(log, 2)
    await fixture.server.restart(options)
    await waitFor(() => log.filter((entry) => entry === 'reset').length >= 2, { what: 'the reset' })
    await fixture.append('a')
    await waitFor(() => log.includes('a2'), { what: 'the next event' })
    expect(log.slice(0, 3)).toEqual(['reset', 'a1', 'reset'])
    expect(log.at(-1)).toBe('a2')
  })

  test('an error of the handler affects only its event', async () => {
    fixture.relay()
    const log: string[] = []
    fixture.use(
      startBroadcastConsumer({
        ...fixture,
        filterSubjects: ['slipway.deployment.>'],
        onEvent: (event) => {
          log.push(label(event))
          if (event.sequence === 1n) throw new Error('no')
        },
        onReset: () => log.push('reset'),
      }),
    )
    await seen(log, 1)
    await fixture.append('a')
    await fixture.append('a')
    await seen(log, 3)
    expect(log).toEqual(['reset', 'a1', 'a2'])
  })

  test('removes its consumer from the server when it is stopped', async () => {
    const log: string[] = []
    const consumer = broadcast(log)
    await seen(log, 1)
    const { connection } = await fixture.nats.session(AbortSignal.timeout(60_000))
    const manager = await jetstreamManager(connection)
    expect((await manager.streams.info(EVENT_STREAM)).state.consumer_count).toBe(1)
    await consumer[Symbol.asyncDispose]()
    expect((await manager.streams.info(EVENT_STREAM)).state.consumer_count).toBe(0)
  })
})
