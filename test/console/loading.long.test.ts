import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'

import { request } from '../support/api.ts'
import { registerFaultyAgent, type FaultyAgent } from '../support/faulty-agent.ts'
import { openBrowser, signIn } from './support/browser.ts'

// What is above the content has its height before the content arrives.

const NAME = 'console-loading-with-a-long-name'

let agent: FaultyAgent

beforeAll(async () => {
  agent = await registerFaultyAgent(NAME)
  const user_credentials = { SERVICE_TOKEN: 'a-token-0123456789' }
  const body = { account: agent.account, name: NAME, user_credentials }
  const { status, text } = await request('POST', '/deploy?wait=120', { as: 'alice', body })
  expect([status, text]).toEqual([200, expect.any(String)])
})
afterAll(async () => {
  await agent[Symbol.asyncDispose]()
})

/** Holds the responses of the API, apart from that of the session, until it is called. */
async function holdResponses(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/api\/v1\//, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

async function bottomOf(page: Page, selector: string): Promise<number> {
  const box = await page.locator(selector).boundingBox()
  return box === null ? NaN : Math.round(box.y + box.height)
}

test.each([
  { width: 1280, path: () => `/accounts/${agent.account}/deployments/${NAME}`, last: '.tabs' },
  { width: 320, path: () => `/accounts/${agent.account}/deployments/${NAME}`, last: '.tabs' },
  { width: 1280, path: () => '/catalog', last: 'h1' },
  { width: 320, path: () => '/catalog', last: 'h1' },
  { width: 320, path: () => `/accounts/${agent.account}`, last: 'h1' },
])('keeps its head in place while it loads, at a width of $width ($last)', async (given) => {
  await using browser = await openBrowser({ width: given.width, height: 900 })
  const { page } = browser
  await signIn(page, 'alice', given.path())
  await page.getByRole('button', { name: `Account ${agent.account}: switch` }).waitFor()
  const letGo = await holdResponses(page)
  await page.reload()
  await page.locator(given.last).waitFor()
  const before = [await bottomOf(page, '.top-bar'), await bottomOf(page, given.last)]
  letGo()
  await page.getByRole('button', { name: `Account ${agent.account}: switch` }).waitFor()
  await page
    .getByText(/^Reading .* …$/)
    .first()
    .waitFor({ state: 'detached' })
  expect([await bottomOf(page, '.top-bar'), await bottomOf(page, given.last)]).toEqual(before)
  expect(browser.faults).toEqual([])
})
