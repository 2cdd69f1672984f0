import { waitFor } from '@slipway/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { startDurableConsumer } from '../src/events/index.ts'
import { renderMetrics, startTelemetry } from '../src/telemetry/index.ts'
import { eventsFixture, type EventsFixture } from './support/events-fixture.ts'

let telemetry: AsyncDisposable
let fixture: EventsFixture
beforeEach(async () => {
  telemetry = await startTelemetry('test', {})
  fixture = await eventsFixture()
})
afterEach(async () => {
  await fixture[Symbol.asyncDispose]()
  await telemetry[Symbol.asyncDispose]()
})

/** The value of a metric with one series; undefined if it has none. */
async function valueOf(name: string): Promise<number | undefined> {
  const text = (await renderMetrics()) ?? ''
  const line = new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(text)
  return line?.[1] === undefined ? undefined : Number(line[1])
}

/** Waits for the first value that is zero, or more. */
async function next(name: string, isZero: boolean): Promise<number> {
  const found = await waitFor(
    async () => {
      const value = await valueOf(name)
      return value !== undefined && (value === 0) === isZero ? { value } : undefined
    },
    { what: name },
  )
  return found.value
}

test('the age of unpublished events grows while NATS is down', async () => {
  const name = 'slipway_events_unpublished_seconds'
  fixture.relay()
  expect(await next(name, true)).toBe(0)
  await fixture.server.stop()
  await fixture.append('a')
  expect(await next(name, false)).toBeGreaterThan(0)
  await fixture.server.start()
  expect(await next(name, true)).toBe(0)
})

test('the time without an acknowledged event grows while a consumer fails', async () => {
  const name = 'slipway_events_unhandled_seconds'
  const done = Promise.withResolvers<void>()
  fixture.relay()
  fixture.use(
    startDurableConsumer({
      ...fixture,
      durable: 'counter',
      filterSubjects: ['slipway.deployment.>'],
      handle: () => done.promise,
    }),
  )
  expect(await next(name, true)).toBe(0)
  await fixture.append('a')
  expect(await next(name, false)).toBeGreaterThan(0)
  done.resolve()
  expect(await next(name, true)).toBe(0)
})
