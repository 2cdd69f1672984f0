import type { Gateway } from '@slipway/gateway'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { startSignInPlatform, type SignInPlatform } from '../support/sign-in-platform.ts'
import { TestBrowser } from '../support/test-browser.ts'
import { startWatchedDeployer } from '../support/watched-deployer.ts'

let platform: SignInPlatform
let gateway: Gateway
let other: Gateway

beforeAll(async () => {
  platform = await startSignInPlatform()
  gateway = await platform.startGateway()
  other = await platform.startGateway()
})
afterAll(async () => {
  await platform[Symbol.asyncDispose]()
})

const me = (at: Gateway) => `${at.url}/api/v1/me`

async function signedIn(user: string): Promise<TestBrowser> {
  const browser = new TestBrowser()
  expect((await browser.signIn(gateway.url, user)).status).toBe(302)
  return browser
}

describe('a session', () => {
  test('is found by a hash of its cookie, and stored encrypted', async () => {
    const browser = await signedIn('carol')
    const rows = await platform.query('SELECT hash, sealed::text, id::text FROM browser_session')
    const stored = JSON.stringify(rows)
    const [secret = ''] = browser.session?.split('.') ?? []
    for (const form of [secret, Buffer.from(secret, 'base64url').toString('hex'), 'eyJ', 'carol'])
      expect(stored).not.toContain(form)
    const log = platform.log.join('')
    for (const form of [secret, 'eyJ', 'code=']) expect(log).not.toContain(form)
  })

  test('loses to an access token, also an invalid one', async () => {
    const browser = await signedIn('alice')
    const headers = { authorization: 'Bearer invented' }
    expect((await browser.send(me(gateway), { headers })).body.code).toBe('invalid_token')
  })

  test('is not needed for what is public, and does not hide what it shows', async () => {
    const browser = new TestBrowser()
    browser.session = 'invented'
    expect((await browser.send(`${gateway.url}/api/v1/agents`)).status).toBe(200)
    expect((await browser.send(me(gateway))).body.code).toBe('session_ended')
    expect((await browser.send(`${gateway.url}/auth/session`)).body.code).toBe('session_required')
  })

  test('shows members their unpublished agents, also after an anonymous read', async () => {
    const browser = await signedIn('alice')
    const { name } = (await browser.send(me(gateway))).body.accounts[0]
    const url = `${gateway.url}/api/v1/agents/${name}/hidden`
    const body = JSON.stringify({
      build_id: 'b1',
      registry: 'oci://registry.example/x',
      spec_content: 'spec: astro/v1\nname: hidden\n',
    })
    const headers = { 'content-type': 'application/json' }
    const registered = await browser.send(`${url}/register`, { method: 'POST', headers, body })
    expect(registered.status).toBe(201)
    const all = `${gateway.url}/api/v1/agents/${name}`
    for (const _read of [1, 2]) {
      expect((await new TestBrowser().send(all)).body.count).toBe(0)
      expect((await browser.send(all)).body.count).toBe(1)
      expect((await browser.send(url)).status).toBe(200)
    }
    expect((await browser.send(url)).headers.get('vary')).toContain('Cookie')
  })

  test('ends with a sign-out, at once on the other replica', async () => {
    const browser = await signedIn('alice')
    expect((await browser.send(me(other))).status).toBe(200)
    const copy = browser.session
    const answer = await browser.send(`${gateway.url}/auth/sign-out`, { method: 'POST' })
    expect([answer.status, browser.session]).toEqual([204, undefined])
    expect(answer.headers.get('clear-site-data')).toBe('"cache"')
    browser.session = copy
    expect((await browser.send(me(gateway))).status).toBe(401)
    await expect.poll(async () => (await browser.send(me(other))).status).toBe(401)
    expect((await browser.send(`${other.url}/auth/session`)).body.code).toBe('session_ended')
  })

  test('ends with a sign-out elsewhere that is for everywhere, and others do not', async () => {
    const [first, second, stranger] = [
      await signedIn('carol'),
      await signedIn('carol'),
      await signedIn('bob'),
    ]
    expect((await second.send(me(other))).status).toBe(200)
    const signOut = `${gateway.url}/auth/sign-out?everywhere=true`
    expect((await first.send(signOut, { method: 'POST' })).status).toBe(204)
    await expect.poll(async () => (await second.send(me(other))).status).toBe(401)
    expect((await stranger.send(me(other))).status).toBe(200)
  })

  test('can be signed out twice, or without one', async () => {
    const browser = await signedIn('alice')
    const copy = browser.session
    for (const session of [copy, copy, undefined, 'invented']) {
      browser.session = session
      const { status } = await browser.send(`${gateway.url}/auth/sign-out`, { method: 'POST' })
      expect(status).toBe(204)
    }
  })

  test('that has ended can not sign out everywhere, but leaves the browser', async () => {
    const browser = await signedIn('alice')
    const copy = browser.session
    await browser.send(`${gateway.url}/auth/sign-out`, { method: 'POST' })
    browser.session = copy
    const signOut = `${gateway.url}/auth/sign-out?everywhere=true`
    const { status, body } = await browser.send(signOut, { method: 'POST' })
    expect([status, body.code, browser.session]).toEqual([401, 'session_ended', undefined])
  })

  test('is not kept by shared caches, also when it is refused', async () => {
    const browser = await signedIn('alice')
    const missing = await browser.send(`${gateway.url}/api/v1/agents/alice/not-there`)
    expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'no-store'])
  })
})

test('a stream ends with the session that has opened it', async () => {
  await using deployer = await startWatchedDeployer()
  await using streaming = await platform.startGateway({ DEPLOYER_ADDRESS: deployer.address })
  const browser = await signedIn('alice')
  const { name } = (await browser.send(me(gateway))).body.accounts[0]
  const response = await fetch(`${streaming.url}/api/v1/agents/${name}/bot/deployment/events`, {
    headers: {
      cookie: `__Host-slipway-session=${browser.session}`,
      'sec-fetch-site': 'same-origin',
    },
  })
  expect(response.status).toBe(200)
  await browser.send(`${gateway.url}/auth/sign-out`, { method: 'POST' })
  const text = await response.text().catch(String)
  expect(text).not.toContain('interrupted')
  await expect.poll(() => deployer.open).toBe(0)
})
