import { afterAll, beforeAll, expect, test } from 'vitest'

import { request } from '../support/api.ts'
import { registerFaultyAgent, type FaultyAgent } from '../support/faulty-agent.ts'
import { accessibilityProblems } from './support/accessibility.ts'
import { openBrowser, signIn } from './support/browser.ts'

// The short path: sign in, open a deployment, see its pods.

const NAME = 'console-deployment'

let agent: FaultyAgent

beforeAll(async () => {
  agent = await registerFaultyAgent(NAME)
  const body = {
    account: agent.account,
    name: NAME,
    user_credentials: { SERVICE_TOKEN: 'token-of-the-console-tests-0123456789' },
  }
  const deployed = await request('POST', '/deploy?wait=120', { as: 'alice', body })
  expect([deployed.status, deployed.text]).toEqual([200, expect.any(String)])
})

afterAll(async () => {
  await agent[Symbol.asyncDispose]()
})

test('signs in, shows a deployment with its pods, and leads to the log of one', async () => {
  await using browser = await openBrowser()
  const { page } = browser
  await signIn(page, 'alice', `/accounts/${agent.account}/deployments`)
  await page.getByRole('link', { name: NAME }).click()
  await page.getByText(`${NAME} is ready: its pod runs`).waitFor()
  await page.locator('.liveness.live').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])

  const pod = page.getByRole('table').getByRole('link', { name: `${NAME}-agent` })
  await pod.click()
  await page.getByText('starting with fault none').waitFor()
  expect(new URL(page.url()).searchParams.get('pod')).toContain(`${NAME}-agent`)
  expect(browser.faults).toEqual([])
})
