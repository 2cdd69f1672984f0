import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import {
  startCatalogAndGateways,
  type CatalogAndGateways,
} from '../support/catalog-and-gateways.ts'
import { LARGE_BUILDS, LARGE_BYTES, registerLarge } from '../support/large-agent.ts'
import { sendAndLeave, sendUnread, type UnreadConnection } from '../support/unread.ts'

// Mallory sends requests and doesn't read the responses, against the limits as shipped. Alice is
// served meanwhile.

/** The default of MAX_PENDING_BYTES_PER_CALLER. */
const BYTES_PER_CALLER = 64 * 1024 * 1024
/** The default of MAX_RUNNING_REQUESTS_PER_USER. */
const REQUESTS_PER_USER = 8

/** On a busy machine, some calls for an attacker exceed their deadline. */
const BUSY = '503'

/** Closes connections whose client doesn't read, after a shorter time. */
const IMPATIENT = 1

let system: CatalogAndGateways
let detail: string

beforeAll(async () => {
  system = await startCatalogAndGateways([{}, { STALL_TIMEOUT_MS: '3000' }])
  for (const as of ['mallory', 'alice']) detail = await registerLarge(system, as)
})

afterAll(async () => {
  await system[Symbol.asyncDispose]()
})

async function malloryToken(): Promise<string> {
  return await system.issuer.userToken('mallory')
}

function originOf(gateway: number): string {
  return system.gateways[gateway]?.url ?? ''
}

/** What alice gets: her profile, and her large response with all builds. */
async function bystanderAnswers(): Promise<unknown[]> {
  const [profile, large] = await Promise.all([
    system.send(0, 'GET', '/me', { as: 'alice' }),
    system.send(0, 'GET', detail, { as: 'alice' }),
  ])
  return [profile.status, large.status, large.body.versions?.length]
}

const SERVED = [200, 200, LARGE_BUILDS]

function statusOf({ start }: UnreadConnection): string {
  return start.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)
}

test('refuses requests of a user who has too many unread bytes', async () => {
  using closing = new DisposableStack()
  const attacker = { token: await malloryToken() }
  const sent = await Promise.all(
    Array.from({ length: 64 }, () => sendUnread(originOf(0), detail, attacker)),
  )
  for (const connection of sent) closing.use(connection)
  expect(await bystanderAnswers()).toEqual(SERVED)

  const accepted = sent.filter((connection) => statusOf(connection) === '200')
  const refused = sent.filter((connection) => statusOf(connection) === '429')
  expect(accepted.length).toBeGreaterThan(0)
  expect(accepted.length * LARGE_BYTES).toBeLessThanOrEqual(BYTES_PER_CALLER)
  const possible = ['200', '429', BUSY]
  expect(possible).toEqual(expect.arrayContaining([...new Set(sent.map(statusOf))]))
  for (const { start } of refused) {
    expect(start).toMatch(/^retry-after: 1\r$/im)
    expect(start).toContain('"code":"too_many_pending_bytes"')
    expect(start).toContain('hold more than 64 MiB; read the responses before sending more')
    expect(start).not.toMatch(/^(etag|content-encoding):/im)
  }
  closing.dispose()
  await waitFor(
    async () => (await system.send(0, 'GET', detail, { as: 'mallory' })).status === 200,
    {
      what: 'the user’s memory to be free again',
    },
  )
})

test('counts all requests that are sent at once on one connection', async () => {
  const attacker = { token: await malloryToken(), requests: 100 }
  using _unread = await sendUnread(originOf(0), detail, attacker)
  await waitFor(
    async () => (await system.send(0, 'GET', detail, { as: 'mallory' })).status === 429,
    { what: 'the user’s memory to be used up' },
  )
  expect(await bystanderAnswers()).toEqual(SERVED)
})

test('counts anonymous requests by address', async () => {
  using closing = new DisposableStack()
  const send = async (from: string) => {
    const connection = closing.use(await sendUnread(originOf(0), detail, { from }))
    return statusOf(connection)
  }
  const statuses = await Promise.all(Array.from({ length: 50 }, () => send('127.0.0.2')))
  expect(new Set(statuses).difference(new Set([BUSY]))).toEqual(new Set(['200', '429']))
  expect(await send('127.0.0.3')).toBe('200')
  expect(await bystanderAnswers()).toEqual(SERVED)
})

test('runs a few requests of a user at a time', async () => {
  const [line] = system.lines
  const path = detail.slice(0, detail.lastIndexOf('/'))
  line?.hold()
  const attack = Array.from({ length: 300 }, () => system.send(0, 'GET', path, { as: 'mallory' }))
  await waitFor(() => (line?.heldAnswers ?? 0) >= REQUESTS_PER_USER, {
    what: 'the requests of a user whose turn it is',
  })
  const bystander = system.send(0, 'GET', path, { as: 'alice' })
  await waitFor(() => (line?.heldAnswers ?? 0) > REQUESTS_PER_USER, {
    what: 'the other user’s request to reach the catalog',
  })
  expect(line?.heldAnswers).toBe(REQUESTS_PER_USER + 1)
  line?.release()
  expect((await bystander).status).toBe(200)

  const answers = await Promise.all(attack)
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  for (const { body } of refused) {
    expect(body.code).toBe('too_many_requests')
    expect(body.detail).toContain(`${REQUESTS_PER_USER} run at the same time; send fewer`)
  }
  const others = answers.filter(({ status }) => status !== 429 && String(status) !== BUSY)
  expect(others.length).toBeGreaterThan(0)
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]))
})

test('counts abandoned requests of a user until they end', async () => {
  const [line] = system.lines
  const path = detail.slice(0, detail.lastIndexOf('/'))
  const before = line?.heldAnswers ?? 0
  const held = () => (line?.heldAnswers ?? 0) - before
  const token = await malloryToken()
  line?.hold()
  for (let wave = 0; wave < 3; wave += 1) {
    const abandoned = Array.from({ length: 30 }, () => sendAndLeave(originOf(0), path, token))
    await waitFor(() => held() >= REQUESTS_PER_USER, { what: 'the requests to run' })
    await Promise.all(abandoned.map((leave) => leave()))
  }
  const bystander = system.send(0, 'GET', path, { as: 'alice' })
  await waitFor(() => held() > REQUESTS_PER_USER, { what: 'the other user’s request to run' })
  expect(held()).toBe(REQUESTS_PER_USER + 1)
  line?.release()
  expect((await bystander).status).toBe(200)
  const answers = Array.from({ length: 30 }, () => system.send(0, 'GET', path, { as: 'mallory' }))
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200)
})

test('closes connections whose client stops reading', async () => {
  using closing = new DisposableStack()
  const attacker = { token: await malloryToken() }
  await waitFor(
    async () => {
      const sent = await Promise.all(
        Array.from({ length: 20 }, () => sendUnread(originOf(IMPATIENT), detail, attacker)),
      )
      for (const connection of sent) closing.use(connection)
      return sent.some((connection) => statusOf(connection) === '429')
    },
    { what: 'the user’s memory to be used up' },
  )
  const read = async () => await system.send(IMPATIENT, 'GET', detail, { as: 'mallory' })
  await waitFor(async () => (await read()).status === 200, {
    what: 'the unread connections to be closed',
  })
  expect((await read()).status).toBe(200)
})
