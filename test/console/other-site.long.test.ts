import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Gateway } from '@slipway/gateway'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startSignInPlatform, type SignInPlatform } from '../support/sign-in-platform.ts'
import { TestBrowser } from '../support/test-browser.ts'
import { answerForm, openBrowser, signIn } from './support/browser.ts'
import { siteOf, startConsole } from './support/platform.ts'

// What another site can do in the browser of a user. The requests alone are in test/e2e/sign-in
// and session-requests.

const SESSION = '__Host-slipway-session'

let platform: SignInPlatform
let gateway: Gateway
let site: Server
let other: string

beforeAll(async () => {
  platform = await startSignInPlatform()
  gateway = await startConsole(platform)
  const { url } = gateway
  site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Other site</title>
      <iframe name="console" src="${url}/accounts/alice"></iframe>
      <img src="${url}/auth/sign-out?everywhere=true">
      <iframe name="answer"></iframe>
      <form method="post" target="answer" action="${url}/auth/sign-out?everywhere=true">
        <button>Win a prize</button></form>`)
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
  // Another name of this host, so that it is another site.
  other = `http://localhost:${(site.address() as AddressInfo).port}/`
})

afterAll(async () => {
  site.close()
  await platform[Symbol.asyncDispose]()
})

test('another site can neither frame the console nor sign its user out', async () => {
  await using browser = await openBrowser({}, siteOf(platform, gateway.url))
  const { page, context } = browser
  await signIn(page, 'alice', '/accounts/alice')
  const own = await context.newPage()
  await own.goto(other)
  await own.waitForLoadState('load')
  const framed = () => own.frame({ name: 'console' })?.url()
  await expect.poll(framed).toContain('chrome-error:')
  expect(await own.frameLocator('iframe').first().getByText('Usage').count()).toBe(0)

  const answered = own.waitForResponse((response) => response.request().method() === 'POST')
  await own.getByRole('button', { name: 'Win a prize' }).click()
  expect((await answered).status()).toBe(403)
  // A script of the site gets neither an answer nor a change.
  const sent = await own.evaluate(
    `Promise.all(['include', 'omit'].map((credentials) =>
      fetch('${gateway.url}/api/v1/accounts', {
        method: 'POST', credentials, headers: { 'content-type': 'application/json' },
        body: '{"name":"stolen"}' }).then(() => 'answered', () => 'refused')))`,
  )
  expect(sent).toEqual(['refused', 'refused'])
  await page.reload()
  await page.getByRole('table').getByText('(you)').waitFor()
  await page.getByRole('button', { name: /^Account/ }).click()
  expect(await page.getByRole('menuitemradio').allInnerTexts()).not.toContain('stolen')
})

test('a link of another site leads into the console, and back to no other site', async () => {
  await using browser = await openBrowser({}, siteOf(platform, gateway.url))
  const { page } = browser
  await page.goto(`/auth/sign-in?return_to=${encodeURIComponent(`//${new URL(other).host}/`)}`)
  await answerForm(page, 'alice')
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  expect(new URL(page.url()).origin).toBe(gateway.url)
  expect(browser.faults).toEqual([])
})

test('a session that was planted in the browser ends with the sign-in of its user', async () => {
  const mallory = new TestBrowser()
  await mallory.signIn(gateway.url, 'mallory')
  const planted = mallory.session ?? ''
  await using browser = await openBrowser({}, siteOf(platform, gateway.url))
  const { page, context } = browser
  const url = gateway.url.replace('http:', 'https:')
  await context.addCookies([{ name: SESSION, value: planted, url, secure: true, httpOnly: true }])
  await page.goto('/accounts/mallory')
  await page.getByRole('button', { name: /^Mallory/ }).waitFor()
  await page.goto('/auth/sign-in?return_to=/accounts/bob')
  await answerForm(page, 'bob')
  await page.getByRole('button', { name: /^Bob/ }).waitFor()
  const cookies = await context.cookies(url)
  expect(cookies.find(({ name }) => name === SESSION)?.value).not.toBe(planted)
  expect((await mallory.send(`${gateway.url}/api/v1/me`)).status).toBe(401)
  expect(browser.faults).toEqual([])
})
