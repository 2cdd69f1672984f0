import { lineProxy } from '@slipway/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { request } from '../support/api.ts'
import { registerFaultyAgent, type FaultyAgent } from '../support/faulty-agent.ts'
import { openBrowser, signIn, stackSite } from './support/browser.ts'
import { expectGoodScreen } from './support/screen.ts'

// Others change what a page shows while it is open, or the line to the server is cut.

const RUN = Date.now() % 1_000_000
const NAME = `elsewhere-agent-${RUN}`
const PLAN = 'Show what the deploy will do'
const SOON = { timeout: 60_000 }

let agent: FaultyAgent
let team = `elsewhere-${RUN}`

beforeAll(async () => {
  agent = await registerFaultyAgent(NAME)
  const source = `/agents/${agent.account}/${NAME}`
  const { versions } = await send('GET', source)
  await send('POST', `${source}/publish`, { build_id: versions[0].build_id, version: '1.0.0' })
  await send('POST', '/accounts', { name: team })
  await deploy('?wait=120')
})

afterAll(async () => {
  await request('POST', '/undeploy', { as: 'alice', body: { account: team, name: NAME } })
  await agent[Symbol.asyncDispose]()
})

async function send(method: string, path: string, body?: unknown) {
  const answer = await request(method, path, { as: 'alice', ...(body !== undefined && { body }) })
  if (answer.status >= 300) throw new Error(`${path} returned ${answer.status}: ${answer.text}`)
  return answer.body
}

async function deploy(query = '', overrides: object = {}): Promise<void> {
  const user_credentials = { SERVICE_TOKEN: 'a-token-0123456789' }
  const source_account = agent.account
  const body = { account: team, name: NAME, source_account, user_credentials, overrides }
  await send('POST', `/deploy${query}`, body)
}

/** Renames the team; returns its previous name. */
async function rename(): Promise<string> {
  const previous = team
  const name = `${previous}-x`
  await send('PUT', `/accounts/${previous}`, { name })
  team = name
  return previous
}

/** Expects that the page says the new name, and leads to the same page of it. */
async function followRename(page: Page, previous: string): Promise<void> {
  const heading = `The account ${previous} is now called ${team}`
  await page.getByRole('heading', { name: heading }).waitFor(SOON)
  await page.getByRole('link', { name: `Show this page of ${team}` }).click()
}

describe('an account that is renamed', () => {
  test('while its deployment is shown: the page says so, and leads on', async () => {
    await using browser = await openBrowser()
    const { page } = browser
    await signIn(page, 'alice', `/accounts/${team}/deployments/${NAME}`)
    await page.getByText(`${NAME} is ready: its pod runs`).waitFor()
    const previous = await rename()
    await page.getByRole('heading', { name: 'is now called' }).waitFor(SOON)
    await expectGoodScreen(browser, 'renamed account')
    await page.reload()
    await followRename(page, previous)
    await page.waitForURL(`**/accounts/${team}/deployments/${NAME}`)
    await page.getByText(`${NAME} is ready: its pod runs`).waitFor()
    expect(browser.faults).toEqual([])
  })

  test('while a form is filled in: the page says so, and leads to the form of it', async () => {
    await using browser = await openBrowser()
    const { page } = browser
    const form = (account: string) =>
      `/accounts/${account}/deploy/${agent.account}/${NAME}?build=current`
    await signIn(page, 'alice', form(team))
    const plan = page.getByRole('button', { name: PLAN })
    await plan.waitFor()
    const previous = await rename()
    await plan.click()
    await followRename(page, previous)
    await page.waitForURL(`**${form(team)}`)
    await page.getByRole('textbox', { name: 'Replicas' }).fill('2')
    await plan.click()
    await page.getByRole('heading', { name: 'What the deploy will do' }).waitFor(SOON)
    expect(browser.faults).toEqual([])
  })
})

test('an agent that is deleted while its page and its form are open', async () => {
  await using browser = await openBrowser()
  const { page, context } = browser
  const path = `/agents/${team}/deleted`
  const spec = 'spec: astro/v1\nname: deleted\nagent: {image: "registry.example/a:1"}\n'
  const build = { build_id: 'b1', registry: 'http://registry.example', spec_content: spec }
  await send('POST', `${path}/register`, build)
  await signIn(page, 'alice', `/catalog/${team}/deleted`)
  await page.getByRole('link', { name: 'Deploy …' }).waitFor()
  const form = await context.newPage()
  await form.goto(`/accounts/${team}/deploy/${team}/deleted`)
  await form.getByRole('button', { name: PLAN }).waitFor()
  await send('DELETE', path)

  await form.getByRole('button', { name: PLAN }).click()
  await form
    .getByRole('alert')
    .getByText(/not found|no builds found/)
    // The list of builds may say it, too.
    .first()
    .waitFor(SOON)
  await form.getByRole('link', { name: `${team}/deleted` }).click()
  const gone = { name: `There is no agent ${team}/deleted` }
  await form.getByRole('heading', gone).waitFor(SOON)

  // The other page finds out when somebody comes back to it, but not if it was just read.
  const comeBack = async () => {
    await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))')
    return await page.getByRole('heading', gone).count()
  }
  await expect.poll(comeBack).toBe(1)
  expect(await page.getByRole('link', { name: 'Deploy …' }).count()).toBe(0)
  await expectGoodScreen(browser, 'deleted agent')
  await page.getByRole('link', { name: 'Go to the catalog' }).click()
  await page.getByRole('heading', { name: 'Catalog' }).waitFor()
})

test('says that the line is cut, and shows what has happened once it is there again', async () => {
  const { url, issuer } = stackSite()
  await using line = await lineProxy(url)
  await using browser = await openBrowser({}, { url: line.url, issuer })
  const { page } = browser
  await signIn(page, 'alice', `/accounts/${team}/deployments/${NAME}`)
  await page.locator('.liveness.live').waitFor(SOON)

  line.freeze()
  line.cut()
  await page.locator('.liveness.interrupted').waitFor(SOON)
  await deploy('?wait=120', { 'agent.environment.MEANWHILE': 'yes' })
  line.thaw()
  await page.locator('.liveness.live').waitFor(SOON)
  await page.getByRole('button', { name: 'Roll back to revision 1' }).waitFor(SOON)
  await page.getByText(`${NAME} is ready: its pod runs`).waitFor(SOON)
  expect(browser.faults).toEqual([])
})
