import { afterAll, beforeAll, expect, test } from 'vitest'

import { request } from '../support/api.ts'
import { registerFaultyAgent, type FaultyAgent } from '../support/faulty-agent.ts'
import { expectGoodScreen } from './support/screen.ts'
import { openBrowser, signIn } from './support/browser.ts'

const NAME = 'console-trouble'

let agent: FaultyAgent

beforeAll(async () => {
  agent = await registerFaultyAgent(NAME)
  await deploy('?wait=120')
  await agent.register('broken', (spec) => spec.replace('default: none', 'default: credential'))
})

afterAll(async () => {
  await agent[Symbol.asyncDispose]()
})

async function deploy(query: string): Promise<void> {
  const credentials = { SERVICE_TOKEN: 'a-token-0123456789' }
  const body = { account: agent.account, name: NAME, user_credentials: credentials }
  const { status, text } = await request('POST', `/deploy${query}`, { as: 'alice', body })
  expect([status, text]).toEqual([200, expect.any(String)])
}

test('shows a pod fail and why, rolls back, undeploys, and signs out', async () => {
  await using browser = await openBrowser()
  const { page } = browser
  await signIn(page, 'alice', `/accounts/${agent.account}/deployments/${NAME}`)
  await page.getByText(`${NAME} is ready: its pod runs`).waitFor()

  // It arrives by the events of the deployment, without a reload.
  await deploy('')
  await page.getByRole('heading', { name: 'Why' }).waitFor({ timeout: 180_000 })
  await page.getByText('the service refused SERVICE_TOKEN').first().waitFor({ timeout: 120_000 })
  await page.locator('.next code').getByText('user_credentials', { exact: true }).waitFor()
  expect(await page.getByRole('article').first().innerText()).not.toContain('a-token-0123456789')
  await expectGoodScreen(browser, 'failing')
  await page
    .getByRole('link', { name: /^Log of/ })
    .first()
    .click()
  await page.getByText('starting with fault credential').first().waitFor()
  await page.goBack()

  await page.getByRole('button', { name: 'Roll back to revision 1' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Roll back' }).click()
  await page.getByRole('cell', { name: 'rollback to 1' }).waitFor({ timeout: 60_000 })
  await page.getByText(`${NAME} is ready: its pod runs`).waitFor({ timeout: 180_000 })

  await page.getByRole('button', { name: 'Undeploy …' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undeploy' }).click()
  await page.getByText(`${NAME} is not deployed in`).waitFor({ timeout: 180_000 })
  expect(await page.locator('.liveness').count()).toBe(0)

  // It follows the next deployment, too.
  await deploy('')
  await page.locator('.liveness.live').waitFor({ timeout: 60_000 })

  await browser.context.setOffline(true)
  await page.getByRole('button', { name: /theme and signing out/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
  const failure = page.getByRole('alertdialog')
  await failure.getByText('You are still signed in').waitFor()
  await browser.context.setOffline(false)
  await failure.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.goto('/')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(browser.faults).toEqual([])
})

test('asks once for a deployment that does not exist', async () => {
  await using browser = await openBrowser()
  const { page } = browser
  const paths: string[] = []
  page.on('request', (sent) => paths.push(new URL(sent.url()).pathname))
  await signIn(page, 'alice', `/accounts/${agent.account}/deployments/no-such-agent`)
  await page.getByText('no-such-agent is not deployed in').waitFor()
  await page.getByRole('link', { name: 'Logs' }).click()
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByText('no-such-agent is not deployed in').waitFor()
  const asked = paths.filter((path) => path.endsWith('/no-such-agent/deployment'))
  expect(asked.length).toBeLessThan(6)
})
