import { freePorts } from '@slipway/testing/free-ports'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startSignInPlatform, type SignInPlatform } from '../support/sign-in-platform.ts'
import { openBrowser, signIn } from './support/browser.ts'
import { siteOf, startConsole } from './support/platform.ts'
import { expectGoodScreen } from './support/screen.ts'

const TIMEOUT = { timeout: 60_000 }

let platform: SignInPlatform

beforeAll(async () => {
  platform = await startSignInPlatform()
})
afterAll(async () => {
  await platform[Symbol.asyncDispose]()
})

test('says that the gateway is away, and goes on without a reload when it is back', async () => {
  const [port = 0] = await freePorts(1)
  const start = () => startConsole(platform, { HTTP_ADDRESS: `127.0.0.1:${port}` })
  const gateway = await start()
  await using browser = await openBrowser({}, siteOf(platform, gateway.url))
  const { page } = browser
  await signIn(page, 'alice', '/accounts/alice')
  await page.getByRole('table').getByText('(you)').waitFor()
  await page.evaluate('globalThis.isSamePage = true')

  await gateway[Symbol.asyncDispose]()
  await page.getByLabel('Name of a new token').fill('ci')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('Slipway does not answer. Check your network.').first().waitFor(TIMEOUT)
  await page.getByText('What you see may be outdated').waitFor(TIMEOUT)
  // What is known is still there, also what was typed.
  await page.getByRole('table').getByText('(you)').waitFor()
  expect(await page.getByLabel('Name of a new token').inputValue()).toBe('ci')
  await expectGoodScreen(browser, 'server away')

  // A page that was never read fails as a part of the console, and not of the browser.
  await page.getByRole('link', { name: 'Catalog' }).click()
  await page.getByRole('heading', { name: 'This page could not be shown' }).waitFor(TIMEOUT)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.goBack()
  await page.getByRole('table').getByText('(you)').waitFor()
  expect(await page.evaluate('globalThis.isSamePage')).toBe(true)

  await using _ = await start()
  await page.getByText('What you see may be outdated').waitFor({ state: 'detached', ...TIMEOUT })
  await page.getByRole('heading', { name: "The usage can't be read" }).waitFor({
    state: 'detached',
    ...TIMEOUT,
  })
  expect(await page.evaluate('globalThis.isSamePage')).toBe(true)
  await page.getByLabel('Name of a new token').fill('ci')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByLabel('Secret of the new token').waitFor()
  await page.getByRole('link', { name: 'Catalog' }).click()
  await page.getByRole('heading', { name: 'Catalog' }).waitFor(TIMEOUT)
})

test('works without events: shows pages, and signs out', async () => {
  const gateway = await startConsole(platform)
  await using browser = await openBrowser({}, siteOf(platform, gateway.url))
  const { page } = browser
  await signIn(page, 'alice', '/accounts/alice')
  await platform.nats.stop()
  try {
    await page.reload()
    await page.getByRole('table').getByText('(you)').waitFor()
    await page.getByRole('button', { name: /theme and signing out/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  } finally {
    await platform.nats.start()
  }
  expect(browser.faults).toEqual([])
})
