import { readFile } from 'node:fs/promises'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { request } from '../support/api.ts'
import { registerFaultyAgent, type FaultyAgent } from '../support/faulty-agent.ts'
import { openBrowser, signIn } from './support/browser.ts'
import { expectGoodScreen } from './support/screen.ts'

const NAME = 'console-logs'
const POLL = { timeout: 60_000 }

let agent: FaultyAgent
let logs: string

beforeAll(async () => {
  agent = await registerFaultyAgent(NAME)
  logs = `/accounts/${agent.account}/deployments/${NAME}/logs`
})

afterAll(async () => {
  await agent[Symbol.asyncDispose]()
})

async function deploy(fault: string, query = ''): Promise<void> {
  const user_credentials = { SERVICE_TOKEN: 'a-token-0123456789', FAULT: fault }
  const body = { account: agent.account, name: NAME, user_credentials }
  const { status, text } = await request('POST', `/deploy${query}`, { as: 'alice', body })
  expect([status, text]).toEqual([200, expect.any(String)])
}

test('sorts lines, marks events, downloads, copies, and says that a pod is gone', async () => {
  await deploy('check')
  await using browser = await openBrowser()
  const { page, context } = browser
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, 'alice', logs)
  const event = page.locator('.log-line.event').filter({ hasText: 'event Unhealthy: ' }).first()
  await event.waitFor({ timeout: 120_000 })
  await expectGoodScreen(browser, 'logs with an event')
  await page.getByText('starting with fault check').first().waitFor()
  const times = await page
    .locator('.log-line time[datetime]')
    .evaluateAll((all) => all.map((each) => each.getAttribute('datetime') ?? ''))
  const sorted = times.toSorted((a, b) => (a < b ? -1 : 1))
  expect(times).toEqual(sorted)
  const pod = page.getByTitle(new RegExp(`^${NAME}-agent-\\w+-\\w+ agent$`)).first()
  expect(await pod.innerText()).toMatch(/^agent-\w+-\w+$/)

  await page.getByLabel('Only lines with').fill('Starting with')
  await page.getByText(/^\d+ of \d+ lines?/).waitFor()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe(`${NAME}.log`)
  const text = await readFile(await download.path(), 'utf8')
  const line = /^\d{4}-\d\d-\d\dT\S+Z console-logs-agent-\S+ agent starting with fault check$/
  for (const each of text.trimEnd().split('\n')) expect(each).toMatch(line)
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByText(/^\d+ lines? copied/).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
    / starting with fault check\n$/,
  )

  await page.goto(`${logs}?pod=${NAME}-agent-gone`)
  await page.getByText(`The pod ${NAME}-agent-gone is gone`).waitFor()
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  await expectGoodScreen(browser, 'logs of a pod that is gone')
  await page.getByRole('button', { name: 'Show the log of all pods' }).click()
  await page.getByText('starting with fault check').first().waitFor()
  expect(browser.faults).toEqual([])
})

test('keeps up with a fast log, and holds the lines that are read', async () => {
  await deploy('chatter', '?wait=120')
  await using browser = await openBrowser()
  const { page } = browser
  await signIn(page, 'alice', logs)
  await page.getByText(/^5000 lines, .* older ones not shown/).waitFor({ timeout: 60_000 })
  const lines = page.getByRole('log', { name: 'Lines of the log' })
  const newest = async () => await lines.locator('.log-line').last().innerText()
  const seen = await newest()
  await expect.poll(newest, POLL).not.toBe(seen)

  await lines.focus()
  await page.keyboard.press('PageUp')
  await page.getByRole('button', { name: 'Newest line' }).waitFor()
  await lines.evaluate((element) => element.scrollTo(0, 0))
  const oldest = async () => await lines.locator('.log-line[style]').first().innerText()
  await expect.poll(oldest, POLL).not.toContain(await newest())
  const held = await oldest()
  const count = page.getByText(/^5000 lines, /)
  const counted = await count.innerText()
  await expect.poll(async () => await count.innerText(), POLL).not.toBe(counted)
  expect(await oldest()).toBe(held)
  await page.getByRole('button', { name: 'Newest line' }).click()
  await page.getByRole('button', { name: 'Newest line' }).waitFor({ state: 'detached' })
  const latest = await newest()
  await expect.poll(newest, POLL).not.toBe(latest)
  expect(browser.faults).toEqual([])
})
