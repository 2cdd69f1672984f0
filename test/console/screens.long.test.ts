import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { request } from '../support/api.ts'
import { registerFaultyAgent, type FaultyAgent } from '../support/faulty-agent.ts'
import { ingestTokenOf, newTraceId, sendSpans } from '../support/ingest.ts'
import { openBrowser, signIn } from './support/browser.ts'
import { expectGoodScreen, LOOKS } from './support/screen.ts'

const NAME = 'console-screens'
const PLAN = 'Show what the deploy will do'
const SCRIPT = '<script>globalThis.isHacked = true</script>'
const IMAGE = '<img src="x" onerror="globalThis.isHacked = true">'
const REVERSED = 'a\u202Eb'
const LONG_LINE = 'w'.repeat(5_000)
const LONG_WORD = 'w'.repeat(16 * 1024)

let agent: FaultyAgent
let deployments: string
const traceId = newTraceId()

beforeAll(async () => {
  agent = await registerFaultyAgent(NAME)
  const { account } = agent
  deployments = `/accounts/${account}/deployments`
  const credentials = { SERVICE_TOKEN: 'a-token-0123456789', FAULT: LONG_LINE }
  const body = { account, name: NAME, user_credentials: credentials }
  const deployed = await request('POST', '/deploy?wait=120', { as: 'alice', body })
  expect([deployed.status, deployed.text]).toEqual([200, expect.any(String)])
  const token = await ingestTokenOf(deployed.body.k8s_namespace)
  const attributes = {
    'gen_ai.operation.name': 'invoke_agent',
    'input.value': `${SCRIPT} ${LONG_WORD}`,
    'output.value': `${IMAGE} ${REVERSED}`,
    'session.id': SCRIPT,
  }
  await sendSpans(token, [{ traceId, name: SCRIPT, isError: true, attributes }])
  const registered = await request('POST', `/agents/${account}/${NAME}/register`, {
    as: 'alice',
    body: {
      build_id: 'hostile',
      registry: 'http://registry.example',
      spec_content: JSON.stringify({
        spec: 'astro/v1',
        name: NAME,
        agent: {
          image: 'registry.example/a:1',
          inputs: {
            key: { name: 'HOSTILE_KEY', secret: true, description: `${IMAGE} ${REVERSED}` },
          },
        },
      }),
      readme: `# ${SCRIPT}\n\n${IMAGE}\n\n[x](javascript:globalThis.isHacked=true) ${LONG_WORD}`,
    },
  })
  expect([registered.status, registered.text]).toEqual([201, expect.any(String)])
  const published = await request('POST', `/agents/${account}/${NAME}/publish`, {
    as: 'alice',
    body: { build_id: 'hostile', version: '1.0.0' },
  })
  expect([published.status, published.text]).toEqual([201, expect.any(String)])
})

afterAll(async () => {
  await agent[Symbol.asyncDispose]()
})

describe.each(LOOKS)('in $theme at a width of $width', (look) => {
  test('shows each screen to everybody, and hostile text as text', async () => {
    await using browser = await openBrowser(look)
    const { page } = browser
    await page.goto('/')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await expectGoodScreen(browser, 'sign in')

    await signIn(page, 'alice')
    await page.getByRole('link', { name: NAME }).waitFor()
    await expectGoodScreen(browser, 'deployments')

    await page.goto(`${deployments}/${NAME}`)
    await page.getByText('first deploy').waitFor()
    await expectGoodScreen(browser, 'deployment')
    await page.getByRole('button', { name: 'Undeploy …' }).click()
    await page.getByRole('alertdialog').waitFor()
    await expectGoodScreen(browser, 'undeploy')
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })

    await page.goto(`${deployments}/${NAME}/logs`)
    await page.getByText('starting with fault').waitFor()
    await expectGoodScreen(browser, 'logs')
    expect(await page.getByText(LONG_LINE).count()).toBe(0)
    await page.getByRole('button', { name: 'Show all 5,020 characters' }).click()
    await page.getByText(LONG_LINE).waitFor()

    await page.goto(`${deployments}/${NAME}/traces?status=error`)
    await page.getByRole('link', { name: SCRIPT }).waitFor()
    await expectGoodScreen(browser, 'traces')
    await page.getByRole('table').getByRole('link').first().click()
    await page.getByText(`${IMAGE} a\\u202eb`).waitFor()
    await expectGoodScreen(browser, 'trace')

    await page.goto(`/catalog?q=${NAME}`)
    await page.getByRole('link', { name: NAME }).waitFor()
    await expectGoodScreen(browser, 'catalog')
    await page.getByRole('link', { name: NAME }).click()
    await page.getByText(IMAGE, { exact: true }).waitFor()
    await expectGoodScreen(browser, 'agent')
    await page.getByRole('link', { name: 'Deploy …' }).click()
    await page.getByText(`${IMAGE} a\\u202eb`).waitFor()
    await page.getByRole('button', { name: 'Add an override …' }).click()
    await page.getByRole('button', { name: PLAN }).click()
    await page.getByText('Not ready to deploy').waitFor()
    await expectGoodScreen(browser, 'deploy')
    await page.goto(`/accounts/${agent.account}/deploy/${agent.account}/${NAME}?build=current`)
    await page.getByLabel('SERVICE_TOKEN').fill('another-token-0123456789')
    await page.getByRole('button', { name: PLAN }).click()
    await page.getByRole('heading', { name: 'What the deploy will do' }).waitFor()
    await expectGoodScreen(browser, 'plan')

    await page.getByRole('link', { name: 'Account', exact: true }).click()
    await page.getByRole('table').getByText('(you)').waitFor()
    await page.getByRole('list').getByText(' of ').first().waitFor()
    await expectGoodScreen(browser, 'account')
    expect(await page.evaluate('globalThis.isHacked')).toBeUndefined()
  })
})
