import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { request } from '../support/api.ts'
import { registerFaultyAgent, type FaultyAgent } from '../support/faulty-agent.ts'
import { openBrowser, signIn } from './support/browser.ts'
import { expectGoodScreen } from './support/screen.ts'

// What a revision changed, why it failed, and the way back; nothing of it is published.

const NAME = 'console-revisions'
const PLAN = 'Show what the deploy will do'
const SLOW = { timeout: 180_000 }

let agent: FaultyAgent
let deployment: string

beforeAll(async () => {
  agent = await registerFaultyAgent(NAME)
  deployment = `/accounts/${agent.account}/deployments/${NAME}`
  await deploy('?wait=120', {})
  await agent.register('broken', (spec) => spec.replace('default: none', 'default: credential'))
  await deploy('', { 'agent.environment.LEVEL': 'debug' })
})

afterAll(async () => {
  await agent[Symbol.asyncDispose]()
})

async function deploy(query: string, overrides: Readonly<Record<string, unknown>>): Promise<void> {
  const user_credentials = { SERVICE_TOKEN: 'a-token-0123456789' }
  const body = { account: agent.account, name: NAME, user_credentials, overrides }
  const { status, text } = await request('POST', `/deploy${query}`, { as: 'alice', body })
  expect([status, text]).toEqual([200, expect.any(String)])
}

describe.each([
  { theme: 'light', width: 1280, height: 900 },
  { theme: 'dark', width: 1280, height: 900 },
  { theme: 'dark', width: 700, height: 900 },
  { theme: 'light', width: 320, height: 640 },
] as const)('in $theme at a width of $width', (look) => {
  test('shows whose pods fail, what the revision changed, and what can be done', async () => {
    await using browser = await openBrowser(look)
    const { page } = browser
    await signIn(page, 'alice', deployment)
    await page.getByRole('status').getByText('1 pod of an earlier revision still').waitFor(SLOW)
    const pods = page.getByRole('region', { name: 'Table of components' }).getByRole('row')
    await pods.filter({ hasText: 'an earlier one' }).getByText('ready', { exact: true }).waitFor()
    await page.getByText('the service refused SERVICE_TOKEN').first().waitFor(SLOW)
    await page.getByText('agent.environment.LEVEL debug').waitFor()
    await expectGoodScreen(browser, 'failing')
    for (const name of ['Roll back (revision 1) …', 'Roll back to revision 1', /^Restart pod/])
      for (const button of await page.getByRole('button', { name }).all()) {
        const { x = -1, width = 0 } = (await button.boundingBox()) ?? {}
        expect([x >= 0, x + width <= look.width]).toEqual([true, true])
      }
    await page.goto(`/accounts/${agent.account}/deployments`)
    await page.getByRole('link', { name: NAME }).waitFor()
    await expectGoodScreen(browser, 'deployments')
    await page.getByRole('link', { name: 'Deploy …' }).click()
    await page.getByText('newest build not published').first().waitFor()
    await expectGoodScreen(browser, 'agents of the account')
    await page.getByRole('searchbox', { name: 'Search agents' }).fill(NAME)
    await page.waitForURL(/q=/)
    await page.getByRole('link', { name: NAME }).click()
    await page.getByText(`runs in ${agent.account}`).waitFor()
    await expectGoodScreen(browser, 'agent')
  })
})

test('rolls back from the advice, and keeps why the revision failed', async () => {
  await using browser = await openBrowser()
  const { page } = browser
  await signIn(page, 'alice', deployment)
  await page.getByRole('button', { name: 'Roll back (revision 1) …' }).click(SLOW)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Roll back' }).click()
  await page.getByText(/^Roll(ing|ed) back: revision 3.* a copy of revision 1/).waitFor()
  await page.getByText(`${NAME} is ready: its pod runs`).waitFor(SLOW)
  const second = page.getByRole('rowheader', { name: '2', exact: true })
  const failed = page.getByRole('row').filter({ has: second })
  await failed.getByText('never ready').waitFor()
  await failed.getByText('CrashLoopBackOff').waitFor()
  await failed.getByText('overrides.agent.environment.LEVEL debug').waitFor()

  await failed.getByRole('link', { name: 'broken' }).click()
  const marked = page.locator('tr[aria-current="true"]')
  await marked.getByRole('cell', { name: 'broken', exact: true }).waitFor()
  await page.getByRole('link', { name: `Deployed in ${agent.account}` }).click()
  await page.getByText(`${NAME} is ready: its pod runs`).waitFor()

  await page.getByRole('link', { name: 'Change …' }).click()
  const builds = page.getByRole('combobox', { name: 'Build' }).locator('option')
  await expect
    .poll(async () => await builds.allInnerTexts(), { timeout: 30_000 })
    .toEqual([
      'the newest',
      expect.stringMatching(/^first-.*; runs now$/),
      expect.stringMatching(/^broken, 20/),
    ])
  await page.getByRole('button', { name: PLAN }).click()
  await page.getByRole('heading', { name: 'Nothing changes' }).waitFor()
  await page.getByRole('button', { name: 'all the same' }).waitFor()
  await expectGoodScreen(browser, 'nothing changes')
  await page.getByLabel('Replicas').fill('2')
  await page.getByRole('button', { name: PLAN }).click()
  await page.getByText('spec.replicas').waitFor()
  await page.getByRole('button', { name: `Deploy to ${agent.account}`, exact: true }).waitFor()
  expect(browser.faults).toEqual([])
})
