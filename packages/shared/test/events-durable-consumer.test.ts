import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { Event } from '@slipway/proto/slipway/events/v1/event'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { transaction } from '../src/db/index.ts'
import { Unavailable } from '../src/errors.ts'
import {
  applyOnce,
  connectNats,
  DEAD_LETTER_STREAM,
  EVENT_STREAM,
  startDurableConsumer,
  type EventMeta,
} from '../src/events/index.ts'
import { assertNoLeaks, waitFor } from '@slipway/testing'
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

function durable(
  handle: (event: Event, meta: EventMeta) => Promise<void>,
  maxDeliver = 3,
): AsyncDisposable {
  return fixture.use(
    startDurableConsumer({
      ...fixture,
      durable: 'counter',
      filterSubjects: ['slipway.deployment.>'],
      maxDeliver,
      handle,
    }),
  )
}

async function deadLetters(): Promise<{ subject: string; from: string | undefined }[]> {
  const { connection } = await fixture.nats.session(AbortSignal.timeout(60_000))
  const consumer = await jetstream(connection).consumers.get(DEAD_LETTER_STREAM)
  const { num_pending: count } = await consumer.info()
  const letters = []
  for (let index = 0; index < count; index += 1) {
    const message = await consumer.next({ expires: 30_000 })
    if (message)
      letters.push({ subject: message.subject, from: message.headers?.get('Slipway-Subject') })
  }
  return letters
}

describe('durable consumer', () => {
  test('starts with the oldest event, and resumes where it stopped', async () => {
    fixture.relay()
    await fixture.append('a')
    await fixture.append('a')
    const events: string[] = []
    const handle = async (event: Event): Promise<void> => void events.push(label(event))
    const first = durable(handle)
    await seen(events, 2)
    await first[Symbol.asyncDispose]()
    await fixture.append('a')
    durable(handle)
    await seen(events, 3)
    expect(events).toEqual(['a1', 'a2', 'a3'])
  })

  test('two replicas share the events, in order', async () => {
    const events: string[] = []
    const replica = (name: string): void => {
      const nats = fixture.use(
        connectNats({ url: fixture.server.url, name, logger: fixture.logger }),
      )
      fixture.use(
        startDurableConsumer({
          nats,
          logger: fixture.logger,
          durable: 'counter',
          filterSubjects: ['slipway.deployment.>'],
          handle: async (event) => void events.push(label(event)),
        }),
      )
    }
    replica('one')
    replica('two')
    fixture.relay()
    for (let index = 0; index < 50; index += 1) await fixture.append('a')
    await seen(events, 50)
    expect(events).toEqual(Array.from({ length: 50 }, (_, index) => `a${index + 1}`))
  })

  test('a poison event becomes a dead letter after some attempts, in order', async () => {
    fixture.relay()
    const events: string[] = []
    durable(async (event, { attempt }) => {
      events.push(`${label(event)}#${attempt}`)
      if (label(event) === 'a2') throw new Error('poison')
    })
    for (let index = 0; index < 3; index += 1) await fixture.append('a')
    await seen(events, 5)
    expect(events).toEqual(['a1#1', 'a2#1', 'a2#2', 'a2#3', 'a3#1'])
    expect(await deadLetters()).toEqual([
      { subject: 'slipway-dead-letter.counter', from: 'slipway.deployment.acme.a.applied' },
    ])
  })

  test('a poison event becomes a dead letter even if their stream was lost', async () => {
    fixture.relay()
    const events: string[] = []
    durable(async (event) => {
      events.push(label(event))
      if (label(event) === 'a1') throw new Error('poison')
    })
    const { connection } = await fixture.nats.session(AbortSignal.timeout(60_000))
    await (await jetstreamManager(connection)).streams.delete(DEAD_LETTER_STREAM)
    await fixture.append('a')
    await fixture.append('a')
    await seen(events, 4)
    expect(events).toEqual(['a1', 'a1', 'a1', 'a2'])
    expect(await deadLetters()).toHaveLength(1)
  })

  test('a message that is not an event becomes a dead letter', async () => {
    const events: string[] = []
    durable(async (event) => void events.push(label(event)))
    const { connection } = await fixture.nats.session(AbortSignal.timeout(60_000))
    await jetstream(connection).publish('slipway.deployment.x.y.z', 'not protobuf')
    fixture.relay()
    await fixture.append('a')
    await seen(events, 1)
    expect(await deadLetters()).toEqual([
      { subject: 'slipway-dead-letter.counter', from: 'slipway.deployment.x.y.z' },
    ])
  })

  test('an event is retried without limit while a dependency is unavailable', async () => {
    fixture.relay()
    const attempts: number[] = []
    durable(async (_event, { attempt }) => {
      attempts.push(attempt)
      if (attempt <= 4) throw new Unavailable('database_unavailable', 'not now')
    })
    await fixture.append('a')
    await seen(attempts, 5)
    // A redelivery of the first would arrive before the second.
    await fixture.append('a')
    await seen(attempts, 10)
    expect(attempts).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4, 5])
    expect(await deadLetters()).toEqual([])
  })

  test('applies each event once while NATS is killed repeatedly', async () => {
    fixture.relay()
    await sql`CREATE TABLE counted (label text NOT NULL)`.execute(fixture.db)
    durable(async (event) => {
      await transaction(fixture.db, async (trx) => {
        if (await applyOnce(trx, 'counter', event))
          await sql`INSERT INTO counted VALUES (${label(event)})`.execute(trx)
      })
    })
    const counted = async (): Promise<string[]> =>
      (await sql<{ label: string }>`SELECT label FROM counted`.execute(fixture.db)).rows.map(
        (row) => row.label,
      )
    for (let index = 1; index <= 60; index += 1) {
      await fixture.append('a')
      if (index % 20 === 0) await fixture.server.restart({ kill: true })
    }
    await waitFor(async () => (await counted()).length >= 60, { what: 'all to be counted' })
    expect(await counted()).toEqual(Array.from({ length: 60 }, (_, index) => `a${index + 1}`))
  })

  test.each(['deleted', 'wiped with its server'])(
    'recovers from a stream that was %s',
    async (how) => {
      fixture.relay()
      const events = new Set<string>()
      durable(async (event) => void events.add(label(event)))
      await fixture.append('a')
      await waitFor(() => events.has('a1'), { what: 'the first event' })
      if (how === 'deleted') {
        const { connection } = await fixture.nats.session(AbortSignal.timeout(60_000))
        await (await jetstreamManager(connection)).streams.delete(EVENT_STREAM)
      } else {
        await fixture.server.restart({ kill: true, wipe: true })
      }
      await fixture.append('a')
      await waitFor(() => events.has('a2'), { what: 'the next event' })
      expect([...events]).toEqual(['a1', 'a2'])
    },
  )

  test('stopping the consumer waits for its handler', async () => {
    fixture.relay()
    const started = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const steps: string[] = []
    const consumer = durable(async () => {
      started.resolve()
      await asked.promise
      steps.push('handled')
    })
    await fixture.append('a')
    await started.promise
    const stopped = consumer[Symbol.asyncDispose]()
    asked.resolve()
    await stopped
    expect(steps).toEqual(['handled'])
  })
})
