import type { Gateway } from '@slipway/gateway'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import {
  SESSION_KEY,
  startSignInPlatform,
  type SignInPlatform,
} from '../support/sign-in-platform.ts'
import { TestBrowser } from '../support/test-browser.ts'

/** A client whose access tokens expire after two seconds, and whose refresh tokens rotate. */
const SHORT_LIVED = { SIGN_IN_CLIENT_ID: 'slipway-console-short-lived' }

let platform: SignInPlatform
let gateway: Gateway
let other: Gateway

beforeAll(async () => {
  platform = await startSignInPlatform({ MAX_SESSIONS_PER_USER: '3' })
  gateway = await platform.startGateway(SHORT_LIVED)
  other = await platform.startGateway(SHORT_LIVED)
})
afterAll(async () => {
  await platform[Symbol.asyncDispose]()
})

async function signedIn(user: string, at: Gateway = gateway): Promise<TestBrowser> {
  const browser = new TestBrowser()
  expect((await browser.signIn(at.url, user)).status).toBe(302)
  return browser
}

/** The status of a request to a gateway, or the code of its problem. */
async function ask(browser: TestBrowser, at: Gateway = gateway): Promise<unknown> {
  const { status, body } = await browser.send(`${at.url}/api/v1/me`)
  return body?.code ?? status
}

/** A row of the newest session. */
async function newest(columns: string): Promise<Record<string, unknown>> {
  const order = 'ORDER BY create_time DESC LIMIT 1'
  const [row = {}] = await platform.query(`SELECT ${columns} FROM browser_session ${order}`)
  return row
}

async function changeNewest(change: string): Promise<void> {
  const { id } = await newest('id')
  await platform.query(`UPDATE browser_session SET ${change} WHERE id = $1`, [id])
}

/** Waits until the token of the newest session has expired. */
async function expired(): Promise<void> {
  const started = performance.now()
  await waitFor(() => performance.now() - started > 2_100, { what: 'the token to expire' })
}

describe('the token of a session', () => {
  test('is refreshed once for many requests at two gateways', async () => {
    const browser = await signedIn('alice')
    let version = Number((await newest('version'))['version'])
    for (const _round of [1, 2, 3]) {
      await expired()
      const requests = Array.from({ length: 20 }, (_, index) =>
        ask(browser, index % 2 === 0 ? gateway : other),
      )
      expect(new Set(await Promise.all(requests))).toEqual(new Set([200]))
      const now = Number((await newest('version'))['version'])
      expect(now).toBeGreaterThan(version)
      version = now
    }
    // The provider ends everything when a refresh token is used twice.
    await expired()
    expect(await ask(browser)).toBe(200)
  })

  test('is refreshed again after a gateway stopped while it had the lease', async () => {
    const browser = await signedIn('alice')
    await changeNewest(`lease_id = gen_random_uuid(), lease_until = now() + interval '4 seconds'`)
    await expired()
    expect(await ask(browser)).toBe(200)
    expect((await newest('lease_id'))['lease_id']).toBeNull()
  })

  test('ends the session if the provider does not refresh it', async () => {
    const browser = await signedIn('bob')
    const [id, sealed] = Object.values(await newest('id, sealed'))
    await expired()
    expect(await ask(browser)).toBe(200)
    // The refresh token was used before, as after a restored backup.
    await platform.query('UPDATE browser_session SET sealed = $2 WHERE id = $1', [id, sealed])
    await expired()
    expect(await ask(browser, other)).toBe('session_ended')
    expect(await platform.query('SELECT FROM browser_session WHERE id = $1', [id])).toEqual([])
  })

  test('is not refreshed while the provider is away, and the session goes on later', async () => {
    const browser = await signedIn('carol')
    await expired()
    platform.provider.freeze()
    try {
      const answer = await browser.send(`${gateway.url}/api/v1/me`)
      expect([answer.status, answer.body.code]).toEqual([503, 'sign_in_unavailable'])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      const page = await browser.send(`${gateway.url}/auth/sign-out`, { method: 'POST' })
      expect(page.status).toBe(204)
    } finally {
      platform.provider.thaw()
    }
    const again = await signedIn('carol')
    await expired()
    expect(await ask(again)).toBe(200)
  })
})

describe('a session ends', () => {
  test.each([
    ['at its absolute limit', `create_time = now() - interval '7 days'`],
    ['when it is idle', `last_use_time = now() - interval '1 day'`],
  ])('%s', async (_when, change) => {
    const browser = await signedIn('alice')
    await changeNewest(change)
    await expect.poll(() => ask(browser)).toBe('session_ended')
    expect(await ask(browser, other)).toBe('session_ended')
  })

  test('later if it is used, which is stored once a minute', async () => {
    const browser = await signedIn('alice')
    const before = (await newest('last_use_time'))['last_use_time']
    expect([await ask(browser), await ask(browser, other)]).toEqual([200, 200])
    expect((await newest('last_use_time'))['last_use_time']).toEqual(before)
    await changeNewest(`last_use_time = now() - interval '23 hours'`)
    await expired()
    expect(await ask(browser)).toBe(200)
    const [row] = await platform.query(
      `SELECT count(*)::int AS count FROM browser_session
       WHERE last_use_time < now() - interval '1 hour'`,
    )
    expect(row).toEqual({ count: 0 })
  })

  test('when its user signs in more often than allowed, the oldest first', async () => {
    const browsers: TestBrowser[] = []
    for (const _each of [1, 2, 3, 4, 5]) browsers.push(await signedIn('mallory'))
    const outcomes = () => Promise.all(browsers.map((browser) => ask(browser, other)))
    const ended = 'session_ended'
    await expect.poll(outcomes).toEqual([ended, ended, 200, 200, 200])
  })

  test('when its row was moved to another cookie', async () => {
    const [mine, theirs] = [await signedIn('mallory'), await signedIn('alice')]
    const [first, second] = await platform.query(
      'SELECT id, sealed FROM browser_session ORDER BY create_time DESC LIMIT 2',
    )
    await platform.query('UPDATE browser_session SET sealed = $2 WHERE id = $1', [
      second?.['id'],
      first?.['sealed'],
    ])
    await expect.poll(() => ask(mine)).toBe('session_ended')
    expect(await ask(theirs)).toBe(200)
  })
})

test('a key can be replaced: the former one still opens sessions, and no other', async () => {
  const key = 'ef'.repeat(32)
  await using next = await platform.startGateway({
    SESSION_KEY: key,
    SESSION_KEY_FORMER: SESSION_KEY,
  })
  await using last = await platform.startGateway({ SESSION_KEY: key })
  const before = await signedIn('bob', other)
  expect([await ask(before, next), await ask(before, last)]).toEqual([200, 'session_ended'])
  const after = await signedIn('bob', next)
  expect([await ask(after, last), await ask(after, gateway)]).toEqual([200, 'session_ended'])
})

test('a sign-in while the provider is away says so', async () => {
  await using fresh = await platform.startGateway()
  platform.provider.freeze()
  try {
    const answer = await new TestBrowser().send(`${fresh.url}/auth/sign-in`)
    expect([answer.status, answer.location]).toEqual([503, undefined])
    expect(answer.text).toContain('Try again soon')
  } finally {
    platform.provider.thaw()
  }
})

test('sessions work without events, and end within seconds', async () => {
  const browser = await signedIn('carol', other)
  expect(await ask(browser, gateway)).toBe(200)
  await platform.nats.stop()
  try {
    const copy = browser.session
    const { status } = await browser.send(`${other.url}/auth/sign-out`, { method: 'POST' })
    expect(status).toBe(204)
    browser.session = copy
    await expect.poll(() => ask(browser, gateway)).toBe('session_ended')
  } finally {
    await platform.nats.start()
  }
})
