import type { Gateway } from '@slipway/gateway'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startSignInPlatform, type SignInPlatform } from '../support/sign-in-platform.ts'
import { TestBrowser, type BrowserRequest } from '../support/test-browser.ts'

// What another site can make the browser of a signed-in user send.

const SITE = 'https://app.example'

let platform: SignInPlatform
let gateway: Gateway
let browser: TestBrowser

beforeAll(async () => {
  platform = await startSignInPlatform()
  gateway = await platform.startGateway({ CORS_ORIGINS: SITE })
  browser = new TestBrowser()
  await browser.signIn(gateway.url, 'alice')
})
afterAll(async () => {
  await platform[Symbol.asyncDispose]()
})

let created = 0

/** Creates a team; returns the status. */
async function change(headers: BrowserRequest['headers'], type = 'application/json') {
  created += 1
  const answer = await browser.send(`${gateway.url}/api/v1/accounts`, {
    method: 'POST',
    headers: { 'content-type': type, ...headers },
    body: JSON.stringify({ name: `team-${created}` }),
  })
  return answer.body?.code ?? answer.status
}

const NONE = { 'sec-fetch-site': undefined }

test('a change needs the same origin', async () => {
  const own = gateway.url
  expect(await change({ 'sec-fetch-site': 'same-origin' })).toBe(201)
  expect(await change({ ...NONE, origin: own })).toBe(201)
  for (const headers of [
    NONE,
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'cross-site', origin: own },
    { 'sec-fetch-site': 'invented' },
    { ...NONE, origin: 'null' },
    { ...NONE, origin: SITE },
    { ...NONE, origin: `${own}.evil.example` },
    { ...NONE, origin: own.replace('http:', 'https:') },
    { ...NONE, referer: `${own}/` },
  ])
    expect([headers, await change(headers)]).toEqual([headers, 'cross_site_request'])
})

test('a form of another site changes nothing', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const headers = { 'sec-fetch-site': 'cross-site', origin: SITE }
    expect(await change(headers, type)).toBe('cross_site_request')
    expect(await change({ ...NONE, origin: SITE }, type)).toBe('cross_site_request')
  }
})

test('a sign-out of another site ends nothing', async () => {
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { ...NONE, origin: SITE }, NONE]) {
    const signOut = `${gateway.url}/auth/sign-out?everywhere=true`
    const answer = await browser.send(signOut, { method: 'POST', headers })
    expect([answer.status, answer.body.code]).toEqual([403, 'cross_site_request'])
  }
  expect((await browser.send(`${gateway.url}/auth/session`)).status).toBe(200)
})

test('no other site can embed what a session may read', async () => {
  for (const path of ['/api/v1/me', '/auth/session']) {
    for (const [headers, status] of [
      [{ 'sec-fetch-site': 'same-origin' }, 200],
      [{ 'sec-fetch-site': 'none' }, 200],
      [NONE, 200],
      [{ 'sec-fetch-site': 'cross-site' }, 403],
      [{ 'sec-fetch-site': 'same-site' }, 403],
      [{ ...NONE, origin: SITE }, 403],
    ] as const) {
      const answer = await browser.send(`${gateway.url}${path}`, { headers })
      expect([path, headers, answer.status]).toEqual([path, headers, status])
    }
  }
})

test('an origin that may call the API gets no credentials', async () => {
  for (const method of ['GET', 'OPTIONS']) {
    const answer = await browser.send(`${gateway.url}/api/v1/me`, {
      method,
      headers: {
        'sec-fetch-site': 'cross-site',
        origin: SITE,
        'access-control-request-method': 'GET',
      },
    })
    expect(answer.headers.get('access-control-allow-origin')).toBe(SITE)
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(answer.text).not.toContain('alice')
  }
})

test('a page that shows another user than the cookie reads and changes nothing', async () => {
  const { id } = (await browser.send(`${gateway.url}/api/v1/me`)).body.user
  const shown = (user: string) => ({ 'sec-fetch-site': 'same-origin', 'slipway-user': user })
  expect(await change(shown(id))).toBe(201)
  const refused = `team-${created + 1}`
  expect(await change(shown('somebody-else'))).toBe('other_user')
  for (const path of ['me', `agents/team-${created - 1}`]) {
    const headers = shown('somebody-else')
    const { status, body } = await browser.send(`${gateway.url}/api/v1/${path}`, { headers })
    expect([path, status, body.code]).toEqual([path, 401, 'other_user'])
  }
  const { body } = await browser.send(`${gateway.url}/api/v1/me`, { headers: shown(id) })
  const names = body.accounts.map(({ name }: { name: string }) => name)
  expect(names).toContain(`team-${created - 1}`)
  expect(names).not.toContain(refused)
})

test('an access token needs no origin, also next to a cookie', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', authorization: 'Bearer invented' }
  const answer = await browser.send(`${gateway.url}/api/v1/me`, { headers })
  expect(answer.body.code).toBe('invalid_token')
})

test('the public origin is the configured one', async () => {
  const PUBLIC_URL = 'https://slipway.example'
  await using behind = await platform.startGateway({ PUBLIC_URL })
  const url = `${behind.url}/auth/sign-out`
  const send = async (origin: string) =>
    (await browser.send(url, { method: 'POST', headers: { ...NONE, origin } })).status
  const session = browser.session
  expect([await send(behind.url), await send(PUBLIC_URL)]).toEqual([403, 204])
  browser.session = session
  const { location } = await browser.send(`${behind.url}/auth/sign-in`)
  const redirect = new URL(location ?? '').searchParams.get('redirect_uri')
  expect(redirect).toBe(`${PUBLIC_URL}/auth/callback`)
})
