import type { Gateway } from '@slipway/gateway'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { startSignInPlatform, type SignInPlatform } from '../support/sign-in-platform.ts'
import { answerForm, forgetAtProvider, openBrowser, signIn } from './support/browser.ts'
import { apiUser, siteOf, startConsole, type ApiUser } from './support/platform.ts'
import { expectGoodScreen } from './support/screen.ts'

// Sessions that end, or become those of others, in another tab.

const TEAM = 'shared-team'
const TEAM_PAGE = `/accounts/${TEAM}`

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
