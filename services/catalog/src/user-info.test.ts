import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { NO_PROFILE, parseIssuers, type UserCaller } from '@slipway/shared/auth'
import { createLogger } from '@slipway/shared/logger'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { UserInfo } from './user-info.ts'

const SUBJECT = '00u1'
const AUDIENCE = 'api://default'
const CLAIMS = {
  sub: SUBJECT,
  preferred_username: 'alice',
  given_name: 'Alice',
  email: 'alice@example.com',
  email_verified: true,
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** An issuer with a discovery document, whose userinfo endpoint the test chooses. */
let answer: Answer
let received: { readonly path: string | undefined; readonly token: string | undefined }[]
let endpoint: string
let url: string
let stop: () => void
let log: string[]
beforeEach(async () => {
  answer = json(CLAIMS)
  received = []
  endpoint = '/v1/userinfo'
  log = []
  const server = createServer((request, response) => {
    if (request.url === '/.well-known/openid-configuration')
      json({ issuer: url, userinfo_endpoint: new URL(endpoint, url).href })(request, response)
    else {
      received.push({ path: request.url, token: request.headers.authorization })
      answer(request, response)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  stop = () => {
    server.close()
    server.closeAllConnections()
  }
})
afterEach(() => stop())

function json(content: unknown): Answer {
  return (_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(content))
  }
}

function reader(entry: object = { userinfo: true }): UserInfo {
  const issuers = parseIssuers([{ issuer: url, audience: AUDIENCE, ...entry }])
  return new UserInfo(
    issuers,
    createLogger('test', 'info', { write: (line) => void log.push(line) }),
  )
}

function callerOf(profile: Partial<UserCaller['profile']> = {}, claims: object = {}): UserCaller {
  const part = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64url')
  const payload = { iss: url, sub: SUBJECT, aud: AUDIENCE, ...claims }
  return {
    kind: 'user',
    realm: 'test',
    subject: SUBJECT,
    profile: { ...NO_PROFILE, ...profile },
    expireTime: new Date(Date.now() + 60_000),
    token: `${part({ alg: 'RS256' })}.${part(payload)}.${part({})}`,
  }
}

test('adds what the userinfo endpoint of the issuer says, asking it once', async () => {
  const userInfo = reader()
  const caller = callerOf({ givenName: 'Al' })
  const [first, second] = await Promise.all([userInfo.complete(caller), userInfo.complete(caller)])
  expect(first.profile).toEqual({
    preferredUsername: 'alice',
    givenName: 'Al',
    familyName: undefined,
    name: undefined,
    email: 'alice@example.com',
  })
  expect(second).toEqual(first)
  expect(await userInfo.complete(caller)).toEqual(first)
  expect(received).toEqual([{ path: '/v1/userinfo', token: `Bearer ${caller.token}` }])
})

test('knows a user of Okta by the id, which the token has next to the login', async () => {
  const caller = callerOf({}, { sub: 'alice@example.com', uid: SUBJECT, cid: '0oa1' })
  const { profile } = await reader().complete({ ...caller, subject: 'alice@example.com' })
  expect(profile).toMatchObject({ preferredUsername: 'alice', email: 'alice@example.com' })
})

test('adds no e-mail address that the issuer has not verified', async () => {
  answer = json({ ...CLAIMS, email_verified: false })
  const { profile } = await reader().complete(callerOf())
  expect(profile).toMatchObject({ preferredUsername: 'alice', email: undefined })
})

test.each([
  ['the entry of the issuer does not allow it', {}, () => callerOf()],
  ['the token says all', undefined, () => callerOf({ name: 'Alice', email: 'a@example.com' })],
  ['the token is for another audience', undefined, () => callerOf({}, { aud: 'other' })],
  ['the token is of another issuer', undefined, () => callerOf({}, { iss: 'https://a.example' })],
])('asks no one when %s', async (_when, entry, made) => {
  const caller = made()
  expect(await reader(entry).complete(caller)).toBe(caller)
  expect(received).toEqual([])
})

test.each<[string, Answer]>([
  ['names another user', json({ ...CLAIMS, sub: '00u2' })],
  ['names no user', json({ ...CLAIMS, sub: undefined })],
  [
    'refuses the token',
    (_request, response) =>
      void response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end(),
  ],
  [
    'redirects',
    (request, response) =>
      void (request.url === '/elsewhere'
        ? json(CLAIMS)(request, response)
        : response.writeHead(302, { location: '/elsewhere' }).end()),
  ],
  ['sends no JSON', (_request, response) => void response.end('<html>')],
  ['sends too much', json({ ...CLAIMS, groups: 'x'.repeat(100_000) })],
  ['ends the connection', (request) => void request.socket.destroy()],
])('leaves the profile as it is, and says why, when the endpoint %s', async (_what, given) => {
  answer = given
  const userInfo = reader()
  const caller = callerOf({ givenName: 'Al' })
  expect(await userInfo.complete(caller)).toEqual(caller)
  expect(await userInfo.complete(caller)).toEqual(caller)
  expect(received.map(({ path }) => path)).toEqual(['/v1/userinfo'])
  expect(log).toHaveLength(1)
  expect(JSON.parse(log[0] ?? '')).toMatchObject({ event: 'userinfo_failed', issuer: url })
  expect(log[0]).not.toContain(caller.token)
})

test('sends no token over HTTP to another host, unless the operator allows HTTP', async () => {
  endpoint = 'http://userinfo.example.test/'
  const caller = callerOf()
  expect(await reader().complete(caller)).toEqual(caller)
  expect(log[0]).toContain('is not an https URL')
  const allowed = reader({ userinfo: true, allow_http: true })
  expect(await allowed.complete(caller)).toEqual(caller)
  expect(log[1]).not.toContain('is not an https URL')
})

test('lets few requests run at the same time', async () => {
  const waiting: (() => void)[] = []
  answer = (request, response) => void waiting.push(() => json(CLAIMS)(request, response))
  const userInfo = reader()
  const others = ['00u3', '00u4'].map((subject) => ({ ...callerOf(), subject }))
  const running = others.map((caller) => userInfo.complete(caller))
  await expect.poll(() => waiting.length).toBe(others.length)
  const late = callerOf()
  expect(await userInfo.complete(late)).toEqual(late)
  for (const end of waiting) end()
  await Promise.all(running)
  answer = json(CLAIMS)
  expect((await userInfo.complete(late)).profile.preferredUsername).toBe('alice')
})
