import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { request } from '../support/api.ts'
import { registerFaultyAgent, type FaultyAgent } from '../support/faulty-agent.ts'
import { ingestTokenOf, newTraceId, sendSpans } from '../support/ingest.ts'
import { openBrowser, signIn } from './support/browser.ts'
import { hasColor } from './support/canvas.ts'
import { expectGoodScreen, LOOKS } from './support/screen.ts'

const NAME = 'console-metrics'
const SCRIPT = '<script>globalThis.isHacked = true</script>'
const IMAGE = '<img src="x" onerror="globalThis.isHacked = true">'
const SESSION = `${IMAGE} a\u202Eb`
const SHOWN_SESSION = `${IMAGE} a\\u202eb`
const LONG_WORD = 'w'.repeat(16 * 1024)
const POLL = { timeout: 30_000 }

let agent: FaultyAgent
let deployment: string

beforeAll(async () => {
  agent = await registerFaultyAgent(NAME)
  deployment = `/accounts/${agent.account}/deployments/${NAME}`
  await deploy({})
  await agent.register('hostile', (spec) => spec.replace('A token', `"${SCRIPT}"`))
  const namespace = await deploy({ 'agent.environment.GREETED': IMAGE })
  const token = await ingestTokenOf(namespace)
  await sendSpans(token, [
    ...turn('How do I share a folder?', `${IMAGE} ${LONG_WORD}`, { session: SESSION }),
    ...turn(`${SCRIPT} ${LONG_WORD}`, 'No.', { session: SESSION, model: SCRIPT, isError: true }),
    ...turn('Hello', 'Hello!', { session: '..' }),
  ])
})

afterAll(async () => {
  await agent[Symbol.asyncDispose]()
})

async function deploy(overrides: Readonly<Record<string, unknown>>): Promise<string> {
  const user_credentials = { SERVICE_TOKEN: 'a-token-0123456789' }
  const body = { account: agent.account, name: NAME, user_credentials, overrides }
  const {
    status,
    text,
    body: result,
  } = await request('POST', '/deploy?wait=120', { as: 'alice', body })
  expect([status, text]).toEqual([200, expect.any(String)])
  return result.k8s_namespace
}

interface TurnOptions {
  readonly session: string
  readonly model?: string
  readonly isError?: boolean
}

/** When the next turn starts: turns that start at the same time have no order. */
let nextStartMs = Date.now() - 60_000

/** The spans of a turn: an agent that calls a model. */
function turn(input: string, output: string, { session, model = 'gpt-4o', isError }: TurnOptions) {
  const traceId = newTraceId()
  const startMs = nextStartMs
  nextStartMs += 1_000
  const root = 'a1b2c3d4e5f60718'
  const ofAgent = {
    'gen_ai.operation.name': 'invoke_agent',
    'input.value': input,
    'output.value': output,
    'session.id': session,
    'user.id': SCRIPT,
  }
  const ofModel = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': model,
  }
  return [
    {
      traceId,
      spanId: root,
      startMs,
      durationMs: 900,
      isError: isError === true,
      attributes: ofAgent,
    },
    {
      traceId,
      parentSpanId: root,
      startMs,
      durationMs: 800,
      attributes: ofModel,
      tokens: '120000',
    },
  ]
}

describe.each(LOOKS)('in $theme at a width of $width', (look) => {
  test('shows each screen to everybody, and hostile text as text', async () => {
    await using browser = await openBrowser(look)
    const { page } = browser
    await signIn(page, 'alice', `${deployment}/metrics`)
    await page.getByRole('img', { name: /^Runs over time: runs at most [1-3], failed/ }).waitFor()
    await page.getByRole('rowheader', { name: SCRIPT }).waitFor()
    await page.getByRole('cell', { name: '$0.60' }).waitFor()
    await page.getByRole('img', { name: /^Cost over time: gpt-4o at most \$0\.[36]0/ }).waitFor()
    await expectGoodScreen(browser, 'metrics')
    for (const title of ['Runs', 'Latency', 'Tokens', 'Cost'])
      await page.getByRole('button', { name: `${title} as a table` }).click()
    await page
      .getByRole('region', { name: 'Table of latency' })
      .getByText('900 ms')
      .first()
      .waitFor()
    await page
      .getByRole('region', { name: 'Table of cost' })
      .getByRole('columnheader', { name: 'gpt-4o' })
      .waitFor()
    await expectGoodScreen(browser, 'metrics as tables')

    await page.goto(`${deployment}/sessions?failed=true`)
    await page.getByRole('link', { name: SHOWN_SESSION }).waitFor()
    expect(await page.getByRole('link', { name: '..', exact: true }).count()).toBe(0)
    await expectGoodScreen(browser, 'sessions')
    await page.getByRole('link', { name: SHOWN_SESSION }).click()
    await page.getByRole('listitem', { name: 'Turn 1' }).getByText('How do I share').waitFor()
    await page.getByText(SCRIPT).first().waitFor()
    await expectGoodScreen(browser, 'session')
    await page.getByRole('link', { name: 'Trace of turn 2' }).click()
    await page.getByRole('heading', { name: /^Trace / }).waitFor()
    await page.getByRole('link', { name: SHOWN_SESSION }).click()
    await page.getByRole('listitem', { name: 'Turn 2' }).waitFor()

    await page.goto(`${deployment}/sessions`)
    await page.getByRole('link', { name: '..', exact: true }).click()
    await page.getByRole('button', { name: 'Session .. ✕' }).waitFor()
    await page.getByRole('cell', { name: 'Hello!' }).waitFor()

    await page.goto(deployment)
    await page.getByRole('link', { name: 'Compare revision 2 with the one before' }).click()
    await page.getByRole('cell', { name: IMAGE }).waitFor()
    await page.getByRole('cell', { name: SCRIPT }).waitFor()
    await page.getByRole('region', { name: 'Revision 1' }).getByText('ago').waitFor()
    await expectGoodScreen(browser, 'comparison')

    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: `Metrics of ${NAME}` }).waitFor()
    await expectGoodScreen(browser, 'palette')
    expect(await page.evaluate('globalThis.isHacked')).toBeUndefined()
  })
})

test('draws the plots in the colors of the theme, marks deploys, and keeps the range', async () => {
  await using browser = await openBrowser({ theme: 'light' })
  const { page } = browser
  await signIn(page, 'alice', `${deployment}/metrics`)
  const plot = page.getByRole('img', { name: /^Runs over time/ })
  await plot.waitFor()
  const [light, dark] = ['#0b5c7d', '#7fd1e8'] as const
  await expect.poll(async () => await hasColor(plot, light), POLL).toBe(true)
  expect(await hasColor(plot, dark)).toBe(false)
  await page.getByRole('button', { name: /theme and signing out/ }).click()
  await page.getByRole('menuitemradio', { name: 'Dark theme' }).click()
  await page.keyboard.press('Escape')
  await expect.poll(async () => await hasColor(plot, dark), POLL).toBe(true)
  expect(await hasColor(plot, light)).toBe(false)
  await page.getByRole('link', { name: 'r2: what this revision changed' }).waitFor()

  await page.getByLabel('Time', { exact: true }).selectOption('7d')
  await page.waitForURL(/since=7d/)
  const box = await plot.boundingBox()
  if (box === null) throw new Error('the plot is not visible')
  await page.mouse.move(box.x + box.width / 2, box.y + 60)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 40, box.y + 60, { steps: 4 })
  await page.mouse.up()
  await page.waitForURL(/from=.*to=/)
  await page.reload()
  await page.getByRole('button', { name: /show the last 24 hours/ }).click()
  await page.waitForURL(/metrics$/)
  expect(browser.faults).toEqual([])
})
