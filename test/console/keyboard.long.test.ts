import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { request } from '../support/api.ts'
import { registerFaultyAgent, type FaultyAgent } from '../support/faulty-agent.ts'
import { ingestTokenOf, newTraceId, sendSpans } from '../support/ingest.ts'
import { openBrowser } from './support/browser.ts'

const NAME = 'console-keyboard'
/** More presses of the tab key than any page needs. */
const MOST_TABS = 80
const POLL = { timeout: 30_000 }

let agent: FaultyAgent

beforeAll(async () => {
  agent = await registerFaultyAgent(NAME)
  const { account } = agent
  const user_credentials = { SERVICE_TOKEN: 'a-token-0123456789' }
  const deployed = await request('POST', '/deploy?wait=120', {
    as: 'alice',
    body: { account, name: NAME, user_credentials },
  })
  expect([deployed.status, deployed.text]).toEqual([200, expect.any(String)])
  const published = await request('POST', `/agents/${account}/${NAME}/publish`, {
    as: 'alice',
    body: { build_id: deployed.body.build_id, version: '1.0.0' },
  })
  expect([published.status, published.text]).toEqual([201, expect.any(String)])
  const token = await ingestTokenOf(deployed.body.k8s_namespace)
  const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'input.value': 'Hello' }
  await sendSpans(token, [{ traceId: newTraceId(), attributes }])
})

afterAll(async () => {
  await agent[Symbol.asyncDispose]()
})

/** The name of the control or heading that has the focus: its label, or its text. */
async function focused(page: Page): Promise<string> {
  const script = `(({ labels, innerText, ariaLabel, localName }) =>
    ['body', 'main'].includes(localName)
      ? ''
      : (ariaLabel ?? labels?.[0]?.innerText ?? innerText).trim())(document.activeElement)`
  return (await page.evaluate(script)) as string
}

/** Presses the tab key until something with this name has the focus. */
async function reach(page: Page, name: string | RegExp): Promise<void> {
  const seen: string[] = []
  for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
    const now = await focused(page)
    if (typeof name === 'string' ? now === name : name.test(now)) return
    seen.push(now)
    await page.keyboard.press('Tab')
  }
  throw new Error(`${name} can't be reached by keyboard, only ${JSON.stringify(seen)}`)
}

/** Opens or does what has this name. */
async function press(page: Page, name: string | RegExp, key = 'Enter'): Promise<void> {
  await reach(page, name)
  await page.keyboard.press(key)
}

/** Opens the palette, and waits until its field has the focus. */
async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await expect.poll(async () => await focused(page), POLL).toBe('Page, deployment, agent or action')
}

/** Expects that the heading of the page has the focus, and that its title is announced. */
async function expectArrival(page: Page, heading: string, title: RegExp): Promise<void> {
  await page.locator('[aria-live="polite"]', { hasText: title }).waitFor()
  await expect.poll(async () => await focused(page), POLL).toBe(heading)
}

test('leads from signing in to the metrics of a deployment by keyboard only', async () => {
  await using browser = await openBrowser()
  const { page } = browser
  await page.goto('/catalog')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await press(page, 'Sign in')
  await page.getByLabel('User name').waitFor()
  await reach(page, 'User name')
  await page.keyboard.type('alice')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Catalog' }).waitFor()

  await press(page, 'Skip to the content')
  await page.keyboard.press('Tab')
  await page.keyboard.type(NAME)
  await page.waitForURL(/q=console-keyboard/)
  await page.getByRole('link', { name: NAME }).waitFor()
  await press(page, new RegExp(NAME))
  await expectArrival(page, NAME, new RegExp(`${agent.account}/${NAME}`))

  await openPalette(page)
  await page.keyboard.type(`${NAME} ready`)
  await page.getByRole('option', { name: `${NAME} ready`, exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await expectArrival(page, NAME, new RegExp(`^${NAME}[: ]`))
  await page.getByText(`${NAME} is ready: its pod runs`).waitFor()

  await press(page, 'Logs')
  await expectArrival(page, NAME, /^Log of/)
  await page.getByText('starting with fault none').waitFor()
  await press(page, 'Traces')
  await expectArrival(page, NAME, /^Traces of/)
  await page.getByRole('region', { name: 'Table of traces' }).waitFor()
  await press(page, /ago$/)
  await expectArrival(page, NAME, /^Trace [0-9a-f]/)
  await press(page, 'Metrics')
  await expectArrival(page, NAME, /^Metrics of/)
  await page.getByRole('img', { name: /^Runs over time/ }).waitFor()
  await press(page, 'Runs as a table', 'Space')
  await page.getByRole('region', { name: 'Table of runs' }).waitFor()

  // Escape leaves the palette where it was opened, and an action asks before it does something.
  await press(page, 'Overview')
  await expectArrival(page, NAME, new RegExp(`^${NAME}[: ]`))
  await openPalette(page)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(async () => await focused(page), POLL).toBe(NAME)
  await openPalette(page)
  await page.keyboard.type('undeploy')
  await page.getByRole('option', { name: `Undeploy ${NAME} …` }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('alertdialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })

  await openPalette(page)
  await page.keyboard.type(`account ${agent.account}`)
  await page.getByRole('option', { name: `Account ${agent.account}` }).waitFor()
  await page.keyboard.press('Enter')
  await expectArrival(page, agent.account, /^Account/)
  await openPalette(page)
  await page.keyboard.type(`deploy ${agent.account}/${NAME}`)
  await page.getByRole('option', { name: `Deploy ${agent.account}/${NAME} …` }).waitFor()
  await page.keyboard.press('Enter')
  await expectArrival(page, `Change ${NAME}`, new RegExp(`${NAME} · Slipway$`))
  expect(browser.faults).toEqual([])
})
