import type { Gateway } from '@slipway/gateway'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startSignInPlatform, type SignInPlatform } from '../support/sign-in-platform.ts'
import { TestBrowser } from '../support/test-browser.ts'

const BURST = 10
const SIGN_INS = 24

let platform: SignInPlatform
let gateway: Gateway

beforeAll(async () => {
  platform = await startSignInPlatform()
  gateway = await platform.startGateway({
    RATE_LIMIT_CHANGES_PER_SECOND: '1',
    RATE_LIMIT_CHANGES_BURST: String(BURST),
    TRUSTED_PROXIES: '127.0.0.1',
  })
})
afterAll(async () => {
  await platform[Symbol.asyncDispose]()
})

/** Begins a sign-in; `complete` ends it from an address. */
async function begin(user: string) {
  const browser = new TestBrowser()
  const callback = await browser.approve(gateway.url, user)
  const pending = new Map(browser.cookies)
  const complete = async (address: string) => {
    for (const [name, value] of pending) browser.cookies.set(name, value)
    return await browser.send(callback, { headers: { 'x-forwarded-for': address } })
  }
  return { browser, complete }
}

/** Begins many sign-ins and completes them at once: buckets gain one token a second. */
async function signInOften(
  userOf: (index: number) => string,
  addressOf: (index: number) => string,
) {
  const begun = []
  for (let index = 0; index < SIGN_INS; index += 1) begun.push(await begin(userOf(index)))
  return await Promise.all(
    begun.map(async ({ complete }, index) => ({
      complete,
      answer: await complete(addressOf(index)),
    })),
  )
}

const statusesOf = (signIns: Awaited<ReturnType<typeof signInOften>>) =>
  new Set(signIns.map(({ answer }) => answer.status))

async function expectSignIn(user: string, address: string): Promise<void> {
  const { browser, complete } = await begin(user)
  expect((await complete(address)).status).toBe(302)
  const { body } = await browser.send(`${gateway.url}/api/v1/me`)
  expect(body.user.email).toBe(`${user}@example.test`)
}

test('sign-ins of one user are limited, from whatever addresses, and others sign in', async () => {
  const signIns = await signInOften(
    () => 'mallory',
    (index) => `192.0.2.${index}`,
  )
  expect(statusesOf(signIns)).toEqual(new Set([302, 429]))
  const refused = signIns.find(({ answer }) => answer.status === 429)?.answer
  expect(refused?.headers.get('retry-after')).toBe('1')
  expect(refused?.text).toContain('There were too many sign-ins')
  await expectSignIn('alice', '192.0.2.1')
})

test('sign-ins from one address are limited, before the provider is asked', async () => {
  const users = ['alice', 'bob', 'carol']
  const signIns = await signInOften(
    (index) => users[index % users.length] ?? '',
    () => '198.51.100.1',
  )
  expect(statusesOf(signIns)).toEqual(new Set([302, 429]))
  // The provider accepts a code once.
  const refused = signIns.find(({ answer }) => answer.status === 429)
  expect((await refused?.complete('198.51.100.2'))?.status).toBe(302)
})
