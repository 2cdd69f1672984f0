import { afterAll, beforeAll, expect, test } from 'vitest'

import { openBrowser, signIn } from './support/browser.ts'
import { openHelpDesk, type HelpDesk } from './support/help-desk.ts'
import { expectGoodScreen } from './support/screen.ts'

// What people see of an agent that works and then fails. The pictures of docs/images are made with
// this test, see apps/console/README.md.

const PLAN = 'Show what the deploy will do'

let desk: HelpDesk

beforeAll(async () => {
  desk = await openHelpDesk()
})
afterAll(async () => {
  await desk[Symbol.asyncDispose]()
})

test('shows an agent from the catalog to its traces, and why it fails', async () => {
  await using browser = await openBrowser({ theme: 'light' })
  const { page } = browser
  const { account, name } = desk
  const deployment = `/accounts/${account}/deployments/${name}`
  await page.goto('/')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await expectGoodScreen(browser, 'console-sign-in')

  await signIn(page, 'alice', `/catalog?q=${name}`)
  await page.getByRole('link', { name }).waitFor()
  await expectGoodScreen(browser, 'console-catalog')
  await page.getByRole('link', { name }).click()
  await page.getByRole('heading', { name: 'Help desk' }).waitFor()
  await expectGoodScreen(browser, 'console-agent')

  await page.goto(`/accounts/${account}/deploy/${account}/${name}?build=current`)
  await page.getByRole('textbox', { name: 'Replicas' }).fill('2')
  await page.getByRole('button', { name: PLAN }).click()
  await page.getByRole('heading', { name: 'What the deploy will do' }).waitFor()
  await page.getByRole('button', { name: `Deploy to ${account}` }).scrollIntoViewIfNeeded()
  await expectGoodScreen(browser, 'console-deploy')

  await page.goto(`${deployment}/logs`)
  await page.getByText('starting with fault none').first().waitFor()
  await expectGoodScreen(browser, 'console-logs')
  await page.goto(`${deployment}/traces`)
  await page.getByRole('table').getByRole('link').first().waitFor()
  await expectGoodScreen(browser, 'console-traces')
  await page.getByRole('table').getByRole('link').first().click()
  await page.getByRole('heading', { name: /^Trace / }).waitFor()
  await page.getByText('search').first().waitFor()
  await expectGoodScreen(browser, 'console-trace')
  await page.goto(`${deployment}/sessions`)
  await page
    .getByRole('link', { name: /^chat-/ })
    .first()
    .waitFor()
  await expectGoodScreen(browser, 'console-sessions')
  await page.goto(`${deployment}/sessions/turns?id=chat-30`)
  await page.getByRole('listitem', { name: 'Turn 2' }).waitFor()
  await expectGoodScreen(browser, 'console-session')
  await page.goto(`${deployment}/metrics`)
  await page.getByRole('img', { name: /^Runs over time/ }).waitFor()
  await page.getByRole('rowheader', { name: 'gpt-4o-mini' }).waitFor()
  await expectGoodScreen(browser, 'console-metrics')
  await page.goto(`${deployment}/compare?from=1&to=2`)
  await page.getByRole('region', { name: 'Revision 1' }).getByText('ago').waitFor()
  await expectGoodScreen(browser, 'console-compare')
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: `Metrics of ${name}` }).waitFor()
  await expectGoodScreen(browser, 'console-palette')
  await page.keyboard.press('Escape')
  await page.goto(`/accounts/${account}`)
  await page.getByRole('table').getByText('(you)').waitFor()
  await page.getByRole('list').getByText(' of ').first().waitFor()
  await expectGoodScreen(browser, 'console-account')

  await desk.breakIt()
  await page.goto(deployment)
  await page.getByText('the service refused SERVICE_TOKEN').first().waitFor({ timeout: 180_000 })
  await expectGoodScreen(browser, 'console-deployment')
  await page.goto(`/accounts/${account}/deployments`)
  await page.getByRole('row').filter({ hasText: name }).waitFor()
  await expectGoodScreen(browser, 'console-deployments')
  await page.goto('/no-such-page')
  await page.getByRole('heading', { name: 'This page does not exist' }).waitFor()
  await expectGoodScreen(browser, 'console-not-found')
  expect(browser.faults).toEqual([])
})
