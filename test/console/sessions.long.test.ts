import type { Gateway } from '@slipway/gateway'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { startSignInPlatform, type SignInPlatform } from '../support/sign-in-platform.ts'
import { answerForm, forgetAtProvider, openBrowser, signIn } from './support/browser.ts'
import { apiUser, siteOf, startConsole, type ApiUser } from './support/platform.ts'
import { expectGoodScreen } from './support/screen.ts'

// Sessions that end, or become those of others, while a page is open.

const TEAM = 'shared-team'
const TEAM_PAGE = `/accounts/${TEAM}`
const POLL = { timeout: 30_000 }
/** A client whose access tokens expire after two seconds, and whose refresh tokens rotate. */
const SHORT_LIVED = { SIGN_IN_CLIENT_ID: 'slipway-console-short-lived' }

let platform: SignInPlatform
let gateway: Gateway
let alice: ApiUser

beforeAll(async () => {
  platform = await startSignInPlatform()
  gateway = await startConsole(platform)
  alice = await apiUser(gateway.url, 'alice')
  const bob = await apiUser(gateway.url, 'bob')
  await alice.send('POST', '/accounts', { name: TEAM })
  const member = `${TEAM_PAGE}/members/${bob.id}`
  await alice.send('PUT', member, { role: 'admin' })
  await bob.send('PUT', member, { role: 'admin' })
})

afterAll(async () => {
  await platform[Symbol.asyncDispose]()
})

async function tokenNames(): Promise<string[]> {
  const { tokens } = await alice.send('GET', `${TEAM_PAGE}/tokens`)
  return tokens.map(({ name }: { name: string }) => name)
}

/** Changes the newest session, which is that of the browser. */
async function changeNewest(change: string, values: readonly unknown[] = []): Promise<void> {
  await platform.query(
    `UPDATE browser_session SET ${change} WHERE id =
       (SELECT id FROM browser_session ORDER BY create_time DESC LIMIT 1)`,
    values,
  )
}

/** Waits until the gateway no longer has the session of a browser in its memory. */
async function untilEnded(context: BrowserContext): Promise<void> {
  const status = async () => (await context.request.get('/auth/session')).status()
  await expect.poll(status, POLL).toBe(401)
}

async function createToken(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name of a new token').fill(name)
  await page.getByRole('button', { name: 'Create' }).click()
}

/** Expects that the page says that the session has ended, and leads back by a new sign-in. */
async function expectWayBack(page: Page): Promise<void> {
  await page.getByText('Your session has ended, or you have signed out.').waitFor()
  expect(await page.locator('body').innerText()).not.toContain(TEAM)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: TEAM }).waitFor()
  expect(new URL(page.url()).pathname).toBe(TEAM_PAGE)
}

describe('a session that ends while a page is open', () => {
  test.each([
    ['at its absolute limit', `create_time = now() - interval '7 days'`],
    ['when it is idle', `last_use_time = now() - interval '1 day'`],
  ])('%s: says so with the next action, and leads back', async (_when, change) => {
    await using browser = await openBrowser({}, siteOf(platform, gateway.url))
    const { page, context } = browser
    await signIn(page, 'alice', TEAM_PAGE)
    await page.getByRole('table').getByText('(you)').waitFor()
    await changeNewest(change)
    await untilEnded(context)
    await createToken(page, 'of-an-ended-session')
    await expectWayBack(page)
    expect(await tokenNames()).not.toContain('of-an-ended-session')
    expect(browser.faults).toEqual([])
  })

  test('in a browser that is offline, but reaches the server: the same', async () => {
    await using browser = await openBrowser({}, siteOf(platform, gateway.url))
    const { page, context } = browser
    await signIn(page, 'alice', TEAM_PAGE)
    await page.getByRole('table').getByText('(you)').waitFor()
    await changeNewest(`create_time = now() - interval '7 days'`)
    await untilEnded(context)
    // As when the last network of this machine but its own goes, for example that of pods.
    await page.evaluate('window.dispatchEvent(new Event("offline"))')
    await createToken(page, 'of-an-ended-session')
    await expectWayBack(page)
    expect(browser.faults).toEqual([])
  })

  test('because the provider does not refresh it: the same', async () => {
    await using short = await startConsole(platform, SHORT_LIVED)
    await using browser = await openBrowser({}, siteOf(platform, short.url))
    const { page, context } = browser
    await signIn(page, 'alice', TEAM_PAGE)
    await page.getByRole('table').getByText('(you)').waitFor()
    const [first] = await platform.query(
      'SELECT version, sealed FROM browser_session ORDER BY create_time DESC LIMIT 1',
    )
    const version = async () => {
      await context.request.get('/auth/session')
      const [row] = await platform.query(
        'SELECT version FROM browser_session ORDER BY create_time DESC LIMIT 1',
      )
      return row?.['version']
    }
    await expect.poll(version, POLL).not.toEqual(first?.['version'])
    // The refresh token was used before, as after a restored backup.
    await changeNewest('sealed = $1', [first?.['sealed']])
    await untilEnded(context)
    await createToken(page, 'of-a-refused-session')
    await expectWayBack(page)
    expect(browser.faults).toEqual([])
  })
})

describe('of two tabs', () => {
  test('one signs out, and the other says so and shows nothing any more', async () => {
    await using browser = await openBrowser({}, siteOf(platform, gateway.url))
    const { page, context } = browser
    await signIn(page, 'alice', TEAM_PAGE)
    await page.getByRole('table').getByText('(you)').waitFor()
    const other = await context.newPage()
    await other.goto('/catalog')
    await other.getByRole('button', { name: /theme and signing out/ }).click()
    await other.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
    await expectWayBack(page)
    // The tab that has signed out shows the user again, too.
    await other.getByRole('heading', { name: 'Catalog' }).waitFor()
    expect(browser.faults).toEqual([])
  })

  test('one signs in as another user, and the other says so and shows that user', async () => {
    await using browser = await openBrowser({}, siteOf(platform, gateway.url))
    const { page, context } = browser
    await signIn(page, 'alice', TEAM_PAGE)
    await page.getByLabel('Name of a new token').fill('typed by alice')
    await forgetAtProvider(context)
    const other = await context.newPage()
    await other.goto(`/auth/sign-in?return_to=${TEAM_PAGE}`)
    await answerForm(other, 'bob')
    await other.getByRole('rowheader', { name: 'Bob Baker (you)' }).waitFor()

    await page.getByText('has signed in in another tab').waitFor()
    await page.getByRole('rowheader', { name: 'Bob Baker (you)' }).waitFor()
    expect(await page.getByLabel('Name of a new token').inputValue()).toBe('')
    await expectGoodScreen(browser, 'another user')
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByText('has signed in in another tab').waitFor({ state: 'detached' })
  })

  test('one that does not know of another user sends nothing as that user', async () => {
    await using browser = await openBrowser({}, siteOf(platform, gateway.url))
    const { page, context } = browser
    await signIn(page, 'alice', TEAM_PAGE)
    await page.getByRole('table').getByText('(you)').waitFor()
    await forgetAtProvider(context)
    const other = await context.newPage()
    // No page of the console is loaded that could say so to the others.
    await other.goto('/auth/sign-in?return_to=/livez')
    await answerForm(other, 'bob')
    await other.waitForURL('**/livez')

    await createToken(page, 'by-the-wrong-user')
    await page.getByText('has signed in in another tab').waitFor()
    await page.getByRole('rowheader', { name: 'Bob Baker (you)' }).waitFor()
    expect(await tokenNames()).not.toContain('by-the-wrong-user')
    expect(browser.faults).toEqual([])
  })
})
