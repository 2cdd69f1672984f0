import { afterAll, beforeAll, expect, test } from 'vitest'

import { request } from '../support/api.ts'
import { readyPods } from '../support/cluster.ts'
import { REFUSAL, refuseServicesOf } from '../support/refused-services.ts'
import {
  API_TOKEN,
  registerSupportAgent,
  undeploy,
  type RegisteredAgent,
} from '../support/support-agent.ts'

const NAME = 'partial-agent'
let agent: RegisteredAgent
let refusal: AsyncDisposable

beforeAll(async () => {
  agent = await registerSupportAgent(NAME)
  refusal = await refuseServicesOf(NAME)
})

afterAll(async () => {
  await refusal[Symbol.asyncDispose]()
  await undeploy(agent)
})

test('reports a rejected object, applies the others, and is completed by a deploy', async () => {
  const body = {
    account: agent.account,
    name: NAME,
    user_credentials: { SUPPORT_API_TOKEN: API_TOKEN },
  }
  const partial = await request('POST', '/deploy', { as: 'alice', body })
  expect([partial.status, partial.body.status]).toEqual([207, 'partial'])
  expect(partial.body.errors).toHaveLength(1)
  expect(partial.body.errors[0]).toMatch(/^Service\//)
  expect(partial.body.errors[0]).toContain(REFUSAL)
  const failed = partial.body.resources.filter(
    ({ status }: { status: string }) => status === 'failed',
  )
  expect(failed).toEqual([
    expect.objectContaining({
      kind: 'Service',
      message: expect.stringContaining(REFUSAL),
    }),
  ])
  await expect.poll(async () => (await readyPods(partial.body.k8s_namespace)).length).toBe(1)

  await refusal[Symbol.asyncDispose]()
  await expect
    .poll(async () => (await request('POST', '/deploy', { as: 'alice', body })).status)
    .toBe(200)
  const again = await request('POST', '/deploy', { as: 'alice', body })
  expect([again.status, again.body.errors]).toEqual([200, []])
})
