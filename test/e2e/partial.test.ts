import { afterAll, beforeAll, expect, test } from 'vitest'

import { request } from '../support/api.ts'
import { breakRequests } from '../support/broken-cluster.ts'
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

const body = () => ({
  account: agent.account,
  name: NAME,
  user_credentials: { SUPPORT_API_TOKEN: API_TOKEN },
})

test('reports a rejected object, applies the others, and is completed by a deploy', async () => {
  const partial = await request('POST', '/deploy', { as: 'alice', body: body() })
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
    .poll(async () => (await request('POST', '/deploy', { as: 'alice', body: body() })).status)
    .toBe(200)
  const again = await request('POST', '/deploy', { as: 'alice', body: body() })
  expect([again.status, again.body.errors]).toEqual([200, []])
})

test('does not say where a part of the cluster is that does not respond', async () => {
  const namespace = (await request('POST', '/deploy', { as: 'alice', body: body() })).body
    .k8s_namespace as string
  const service = `/api/v1/namespaces/${namespace}/services/${NAME}-agent?dryRun=All`
  await using _ = await breakRequests({
    namespace,
    resource: 'services',
    operation: 'UPDATE',
    probe: ['PATCH', service, { metadata: {} }, 'application/merge-patch+json'],
  })
  const deployed = await request('POST', '/deploy', { as: 'alice', body: body() })
  expect([deployed.status, deployed.body.status]).toEqual([207, 'partial'])
  const planned = await request('POST', '/deploy/validate?dry_run=server', {
    as: 'alice',
    body: body(),
  })
  for (const { text } of [deployed, planned]) {
    expect(text).toContain('missing.slipway.dev')
    expect(text).toContain('a part of the cluster does not respond')
    expect(text).not.toContain('127.0.0.1:1')
  }
})
