import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { breakRequests } from '../support/broken-cluster.ts'
import { methodOf, pathOf } from './cases/case.ts'
import type { DeploymentCase } from './cases/deployment-case.ts'
import { goodCases } from './cases/deployment-cases.ts'
import { readApiDocument, type ApiDocument } from './support/api-document.ts'
import { ask } from './support/catalog-fixture.ts'
import {
  makeDeploymentWorld,
  makeLostPod,
  podOf,
  podPath,
  type DeploymentWorld,
} from './support/deployment-fixture.ts'

let world: DeploymentWorld
let api: ApiDocument

beforeAll(async () => {
  world = await makeDeploymentWorld()
  api = await readApiDocument()
}, 240_000)
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

const bodyOf = ({ body }: DeploymentCase) => (body === undefined ? {} : { body })

async function expect500(each: DeploymentCase): Promise<void> {
  const answer = await ask(methodOf(each), pathOf(each), 'owner', bodyOf(each))
  const { type, title, status, code, error, request_id: id } = answer.body
  const problem = api.problemWith(
    each.route,
    answer.status,
    answer.headers.get('content-type') ?? '',
    answer.body,
  )
  expect([each.route, answer.status, code, error, problem]).toEqual([
    each.route,
    500,
    'internal_server_error',
    'Internal Server Error',
    undefined,
  ])
  expect([type, title, status]).toEqual([
    'urn:slipway:problem:internal_server_error',
    'Internal Server Error',
    500,
  ])
  expect(id).toBe(answer.headers.get('x-request-id'))
  // The problem contains neither the API server's message nor its address.
  expect(answer.text).not.toMatch(/webhook|127\.0\.0\.1|6443|slipway\.dev/)
}

test('a cluster that fails is a 500 without details, and the next request succeeds', async () => {
  const { account, running, namespace } = world
  const pod = await podOf(account, running)
  const good = goodCases(world)
  const of = (route: string) => good.get(route) as DeploymentCase
  const below = 'POST /agents/{account}/{name}/deployment'
  const namespacePath = `/api/v1/namespaces/${namespace}`
  {
    const mergePatch = 'application/merge-patch+json'
    const probe = ['PATCH', `${namespacePath}?dryRun=All`, { metadata: {} }, mergePatch] as const
    await using _ = await breakRequests({
      namespace,
      resource: 'namespaces',
      operation: 'UPDATE',
      probe,
    })
    await expect500(of('POST /deploy'))
    for (const route of [`${below}/rollback`, `${below}/rotate-ingest-token`]) {
      await expect500({ ...of(route), params: { account, name: running } })
    }
  }
  {
    const probe = ['DELETE', `${podPath(namespace, pod)}?dryRun=All`] as const
    await using _ = await breakRequests({
      namespace,
      resource: 'pods',
      operation: 'DELETE',
      probe,
    })
    await expect500({
      ...of('POST /deployments/{namespace}/pods/{pod}/restart'),
      params: { namespace, pod },
    })
  }
  {
    const containers = [{ name: 'probe', image: 'registry.invalid/probe:1' }]
    const job = {
      metadata: { name: 'probe' },
      spec: { template: { spec: { restartPolicy: 'Never', containers } } },
    }
    const probe = ['POST', `/apis/batch/v1/namespaces/${namespace}/jobs?dryRun=All`, job] as const
    await using _ = await breakRequests({
      namespace,
      resource: 'jobs',
      operation: 'CREATE',
      probe,
    })
    await expect500(of('POST /deployments/{namespace}/ingestion/{ingestion}/trigger'))
  }
  const logs = of('GET /deployments/{namespace}/logs')
  {
    await using lost = await makeLostPod(namespace, await podOf(account, running))
    await expect500({ ...logs, query: { account, pod: lost.name } })
  }
  {
    const probe = ['DELETE', `${namespacePath}?dryRun=All`] as const
    await using _ = await breakRequests({
      namespace,
      resource: 'namespaces',
      operation: 'DELETE',
      probe,
    })
    await expect500({ ...of('POST /undeploy'), body: { account, name: running } })
  }
  // The request was stored and is carried out by this one or in the background.
  const again = await ask('POST', '/undeploy', 'owner', { body: { account, name: running } })
  expect([200, 404]).toContain(again.status)
  const body = { ...(of('POST /deploy').body as object), schedules: { nightly: '0 3 * * *' } }
  // Rejected while the namespace is terminating.
  const deployed = async () => (await ask('POST', '/deploy', 'owner', { body })).status === 200
  await waitFor(deployed, { what: 'the deploy' })
})
