import { afterAll, beforeAll, expect, test } from 'vitest'

import { personalAccount, request } from '../support/api.ts'
import { registerFaultyAgent, type FaultyAgent } from '../support/faulty-agent.ts'
import { REFUSAL, refuseServicesOf } from '../support/refused-services.ts'
import { openBrowser, signIn, type OpenBrowser } from './support/browser.ts'
import { expectGoodScreen } from './support/screen.ts'

const NAME = 'console-deploy'
const SECRET = 'secret-of-the-deploy-form-0123456789'
const PLAN = 'Show what the deploy will do'

let agent: FaultyAgent
let account: string

beforeAll(async () => {
  agent = await registerFaultyAgent(NAME)
  account = await personalAccount('bob')
  const { body } = await request('GET', `/agents/${agent.account}/${NAME}`, { as: 'alice' })
  const published = await request('POST', `/agents/${agent.account}/${NAME}/publish`, {
    as: 'alice',
    body: { build_id: body.versions[0].build_id, version: '1.0.0' },
  })
  expect([published.status, published.text]).toEqual([201, expect.any(String)])
})

afterAll(async () => {
  await request('POST', '/undeploy', { as: 'bob', body: { account, name: NAME } })
  await agent[Symbol.asyncDispose]()
})

/** Expects that the credential is neither in the address nor stored, nor shown. */
async function expectNoSecret({ page }: OpenBrowser): Promise<void> {
  const known = await page.evaluate(
    `JSON.stringify([location.href, history.state, {...localStorage}, {...sessionStorage},
      document.body.innerText])`,
  )
  expect(known).not.toContain(SECRET)
}

test('deploys the agent of another account from the catalog, and changes it', async () => {
  await using browser = await openBrowser()
  const { page } = browser
  const urls: string[] = []
  page.on('request', (sent) => urls.push(sent.url()))
  await signIn(page, 'bob', `/catalog?q=${NAME}`)
  // The header changes its height when the account is known, and the link its place.
  await page.getByRole('button', { name: /^Account/ }).waitFor()
  await page.getByRole('link', { name: NAME }).click()
  await page.getByRole('link', { name: 'Deploy …' }).click()
  await page.waitForURL(`**/accounts/${account}/deploy/${agent.account}/${NAME}`)

  // What is missing is next to its field, which gets the focus.
  const token = page.getByLabel('SERVICE_TOKEN required')
  expect(await token.getAttribute('type')).toBe('password')
  await page.getByRole('button', { name: PLAN }).click()
  await page.getByText('a required credential is missing').waitFor()
  await page.locator('input[type=password]:focus').waitFor()
  await token.fill(SECRET)
  await page.getByLabel('Replicas').fill('many')
  await page.getByRole('button', { name: PLAN }).click()
  const replicas = page.getByRole('textbox', { name: 'Replicas' })
  await page.getByText('must be a whole number').waitFor()
  expect(await replicas.getAttribute('aria-invalid')).toBe('true')
  await replicas.fill('2')
  await page.getByRole('button', { name: 'Add an override …' }).click()
  await page.getByLabel('Path').fill('agent.environment.LEVEL')
  await page.getByLabel('Value, as JSON or text').fill('debug')

  await page.getByRole('button', { name: PLAN }).click()
  await page.getByRole('heading', { name: 'What the deploy will do' }).waitFor()
  const plan = page.getByRole('region', { name: 'Table of planned changes' })
  await plan.getByRole('cell', { name: 'Secret', exact: true }).first().waitFor()
  await plan.getByRole('cell', { name: 'Deployment', exact: true }).waitFor()
  await expectNoSecret(browser)
  // A change ends the plan: what is deployed is what was shown.
  await replicas.fill('1')
  await page.getByRole('button', { name: PLAN }).click()
  await page.getByRole('button', { name: `Deploy to ${account}` }).click()
  await page.waitForURL(`**/accounts/${account}/deployments/${NAME}`, { timeout: 60_000 })
  await page.getByText(`${NAME} is ready: its pod runs`).waitFor({ timeout: 180_000 })
  await expectNoSecret(browser)

  await page.getByRole('link', { name: 'Change …' }).click()
  const kept = page.getByLabel('SERVICE_TOKEN')
  expect(await kept.getAttribute('placeholder')).toBe('stays as it is')
  expect(await page.getByLabel('agent.environment.LEVEL').isChecked()).toBe(true)
  await kept.fill(SECRET)
  await page.goBack()
  await page.goForward()
  expect(await kept.inputValue()).toBe('')
  await page.getByLabel('agent.environment.LEVEL').uncheck()
  await page.getByRole('button', { name: PLAN }).click()
  await page.getByRole('heading', { name: 'What the deploy will do' }).waitFor()
  await plan.getByRole('cell', { name: 'Deployment', exact: true }).waitFor()
  await page.getByRole('button', { name: `Deploy to ${account}` }).click()
  await page.getByText('overrides.agent.environment.LEVEL removed').waitFor({ timeout: 60_000 })
  await expectNoSecret(browser)
  expect(urls.filter((url) => url.includes(SECRET))).toEqual([])
  expect(browser.faults).toEqual([])
})

test('shows what the cluster refuses of a deploy', async () => {
  await using browser = await openBrowser()
  const { page } = browser
  await using _ = await refuseServicesOf(NAME)
  const form = `/accounts/${agent.account}/deploy/${agent.account}/${NAME}`
  await signIn(page, 'alice', form)
  await page.getByLabel('SERVICE_TOKEN required').fill(SECRET)
  await page.getByRole('button', { name: PLAN }).click()
  await page.getByRole('button', { name: `Deploy to ${agent.account}` }).click()
  await page.getByRole('heading', { name: 'The cluster has not accepted everything' }).waitFor()
  const failed = page.getByRole('row').filter({ hasText: 'failed' })
  expect(await failed.first().innerText()).toContain(REFUSAL)
  await expectNoSecret(browser)
  await expectGoodScreen(browser, 'partial deploy')
  await page.getByRole('link', { name: 'Go to the deployment' }).click()
  await page.getByRole('heading', { name: NAME }).waitFor()
})
