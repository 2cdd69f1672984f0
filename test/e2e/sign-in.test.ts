import type { Gateway } from '@slipway/gateway'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { startSignInPlatform, type SignInPlatform } from '../support/sign-in-platform.ts'
import { TestBrowser } from '../support/test-browser.ts'

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

describe('a sign-in', () => {
  test('returns to where it began, with a cookie that scripts and other sites lack', async () => {
    const browser = new TestBrowser()
    const answer = await browser.signIn(gateway.url, 'alice', '?return_to=/agents?tab=logs')
    expect([answer.status, answer.location]).toEqual([302, '/agents?tab=logs'])
    const lines = answer.headers.getSetCookie()
    const cookie = lines.find((line) => line.startsWith('__Host-slipway-session='))
    expect(cookie).toMatch(/; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('identifies the same user as the access token, on each replica', async () => {
    const browser = await signedIn('alice')
    const [first, second] = [await browser.send(me(gateway)), await browser.send(me(other))]
    expect(first.body.user).toMatchObject({ email: 'alice@example.test' })
    expect(second.body).toEqual(first.body)
    const session = await browser.send(`${other.url}/auth/session`)
    expect(session.body).toEqual({
      user: { id: first.body.user.id, name: 'Alice Archer', email: 'alice@example.test' },
      expires_at: expect.stringMatching(/Z$/),
      idle_expires_at: expect.stringMatching(/Z$/),
    })
    const users = await platform.query('SELECT realm, subject FROM app_user WHERE id = $1', [
      first.body.user.id,
    ])
    expect(users).toEqual([{ realm: 'local', subject: '0b9c6c2e-6a0e-4c0a-9a53-1f0a1c3e0a01' }])
  })

  test.each(['https://evil.example/', '//evil.example', '/\\evil.example', '/.//evil.example'])(
    'does not lead to %s',
    async (target) => {
      const query = `?return_to=${encodeURIComponent(target)}`
      const { location } = await new TestBrowser().signIn(gateway.url, 'bob', query)
      expect(location).toBe('/')
    },
  )

  test('replaces the cookie that a browser had before, and ends its session', async () => {
    const planted = await signedIn('mallory')
    const victim = new TestBrowser()
    victim.session = planted.session
    await victim.signIn(gateway.url, 'bob')
    expect(victim.session).not.toBe(planted.session)
    expect((await victim.send(me(gateway))).body.user.email).toBe('bob@example.test')
    expect((await planted.send(me(gateway))).status).toBe(401)

    const invented = new TestBrowser()
    invented.session = `${'a'.repeat(43)}.${'b'.repeat(22)}`
    await invented.signIn(gateway.url, 'bob')
    expect(invented.session).not.toContain('aaa')
  })

  test('can be completed only by the browser that has begun it', async () => {
    const callback = await new TestBrowser().approve(gateway.url, 'mallory')
    const victim = new TestBrowser()
    const answer = await victim.send(callback, { headers: { 'sec-fetch-site': 'cross-site' } })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('begun in another browser')
    expect(victim.session).toBeUndefined()
  })

  test('can be completed once, also with a copy of its cookie', async () => {
    const browser = new TestBrowser()
    const callback = await browser.approve(gateway.url, 'alice')
    const copy = new Map(browser.cookies)
    expect((await browser.send(callback)).status).toBe(302)
    expect((await browser.send(callback)).status).toBe(400)
    const thief = new TestBrowser()
    for (const [name, value] of copy) thief.cookies.set(name, value)
    expect((await thief.send(callback)).status).toBe(403)
    expect(thief.session).toBeUndefined()
  })

  test('can run in two tabs at the same time', async () => {
    const browser = new TestBrowser()
    const tabs = [
      await browser.approve(gateway.url, 'alice'),
      await browser.approve(gateway.url, 'alice'),
    ]
    for (const callback of tabs) expect((await browser.send(callback)).status).toBe(302)
  })

  test('leaves a bounded number of cookies behind when it is begun often', async () => {
    const browser = new TestBrowser()
    for (let begun = 0; begun < 20; begun += 1) await browser.send(`${gateway.url}/auth/sign-in`)
    expect(browser.cookies.size).toBeLessThanOrEqual(6)
  })

  test.each([
    ['another issuer', (url: URL) => url.searchParams.set('iss', 'https://evil.example'), 403],
    ['no issuer', (url: URL) => url.searchParams.delete('iss'), 403],
    ['another code', (url: URL) => url.searchParams.set('code', 'invented'), 403],
    ['a changed state', (url: URL) => url.searchParams.set('state', 'x'.repeat(43)), 400],
    ['no state', (url: URL) => url.searchParams.delete('state'), 400],
    ['two states', (url: URL) => url.searchParams.append('state', 'x'), 403],
  ])('fails with %s', async (_what, change, status) => {
    const browser = new TestBrowser()
    const callback = await browser.approve(gateway.url, 'alice')
    change(callback)
    expect((await browser.send(callback)).status).toBe(status)
    expect(browser.session).toBeUndefined()
  })

  test('does not ask the provider after too many of a network have failed', async () => {
    const limited = await platform.startGateway({ RATE_LIMIT_FAILED_SIGN_INS_BURST: '2' })
    const begin = async () => {
      const browser = new TestBrowser()
      return { browser, callback: await browser.approve(limited.url, 'alice') }
    }
    // Those that succeed don't count.
    for (const { browser, callback } of [await begin(), await begin(), await begin()])
      expect((await browser.send(callback)).status).toBe(302)
    const begun = []
    for (let count = 0; count < 10; count += 1) begun.push(await begin())
    const answers = await Promise.all(
      begun.map(async ({ browser, callback }) => {
        callback.searchParams.set('code', 'invented')
        return await browser.send(callback)
      }),
    )
    expect(answers.filter(({ status }) => status === 403).length).toBeGreaterThanOrEqual(2)
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.headers.get('retry-after')).toBe('1')
    expect(refused?.text).toContain('Too many sign-ins from your network have failed')
  })

  test('that was refused shows a page without anything of the request', async () => {
    const browser = new TestBrowser()
    const { searchParams } = await browser.approve(gateway.url, 'alice')
    const html = '<script>alert(1)</script>'
    const query = new URLSearchParams({
      error: 'access_denied',
      error_description: html,
      iss: platform.provider.issuer,
      state: searchParams.get('state') ?? '',
    })
    const answer = await browser.send(`${gateway.url}/auth/callback?${query.toString()}`)
    expect(answer.status).toBe(403)
    expect(answer.text).not.toContain('script')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  })
})

test('paths below /auth have the methods of the reference', async () => {
  for (const [method, path, allow] of [
    ['POST', '/auth/sign-in', 'GET, HEAD'],
    ['GET', '/auth/sign-out', 'POST'],
    ['DELETE', '/auth/session', 'GET, HEAD'],
  ] as const) {
    const response = await fetch(`${gateway.url}${path}`, { method })
    expect([path, response.status, response.headers.get('allow')]).toEqual([path, 405, allow])
  }
})

test('a gateway without a client for browsers says so', async () => {
  await using lone = await platform.startGateway({ SIGN_IN_CLIENT_ID: '' })
  const browser = new TestBrowser()
  for (const path of ['/auth/sign-in', '/auth/callback?state=x', '/auth/session'])
    expect((await browser.send(`${lone.url}${path}`)).body.code).toBe('sign_in_not_configured')
  const answer = await browser.send(`${lone.url}/auth/sign-out`, { method: 'POST' })
  expect(answer.body.code).toBe('sign_in_not_configured')
})
