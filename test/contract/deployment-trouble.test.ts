import { waitFor } from '@slipway/testing'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { breakRequests } from '../support/broken-cluster.ts'
import { fromStack } from '../support/environment.ts'
import { startLoneGateway } from '../support/lone-gateway.ts'
import { readApiDocument, type ApiDocument } from './support/api-document.ts'
import { freshName, methodOf, pathOf } from './cases/case.ts'
import type { DeploymentCase } from './cases/deployment-case.ts'
import { deploymentCases, removingCases } from './cases/deployment-cases.ts'
import {
  makeDeploymentWorld,
  makeLostPod,
  podOf,
  podPath,
  type DeploymentWorld,
} from './support/deployment-fixture.ts'
import { ask } from './support/catalog-fixture.ts'
import { problemOf } from './support/gateway-problems.ts'

let world: DeploymentWorld
let api: ApiDocument

beforeAll(async () => {
  world = await makeDeploymentWorld()
  api = await readApiDocument()
}, 240_000)
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

const provoked = new Set<string>()
const note = (status: number, routes: Iterable<string>) => {
  for (const route of routes) provoked.add(`${route} ${status}`)
}

/** A successful case of every route, sent by the account's owner. */
function goodCases(): Map<string, DeploymentCase> {
  const good = [...deploymentCases(world), ...removingCases(world)].filter(
    ({ status }) => status === 200,
  )
  // The first case of a route is the simplest one.
  return new Map(good.toReversed().map((each) => [each.route, { ...each, caller: 'owner' }]))
}

const bodyOf = ({ body }: DeploymentCase) => (body === undefined ? {} : { body })

describe('an idempotency key', () => {
  // The undeploy comes last.
  const posts = () =>
    [...goodCases()]
      .filter(([route]) => route.startsWith('POST') && !route.endsWith('/validate'))
      .sort(
        ([left], [right]) => Number(left === 'POST /undeploy') - Number(right === 'POST /undeploy'),
      )

  test('gets 409 while its request runs, then the same response, 422 for others', async () => {
    const database = new Client({ connectionString: fromStack('DEPLOYER_DATABASE_URL') })
    await database.connect()
    try {
      for (const [route, each] of posts()) {
        const headers = { 'idempotency-key': freshName('key') }
        const send = (body = each.body) =>
          ask('POST', pathOf(each), 'owner', body === undefined ? { headers } : { headers, body })
        // The lock holds the first request, so that the second one finds it running.
        await database.query('BEGIN')
        await database.query('LOCK TABLE idempotency_key IN ACCESS EXCLUSIVE MODE')
        const both = [send(), send()]
        const refused = await Promise.race(both)
        await database.query('COMMIT')
        expect([route, refused.status, refused.body.code]).toEqual([
          route,
          409,
          'idempotency_key_in_use',
        ])
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
        const first = (await Promise.all(both)).find(({ status }) => status !== 409)
        expect([route, first?.status]).toEqual([route, 200])
        const again = await send()
        expect([
          route,
          again.status,
          again.text,
          again.headers.get('idempotency-replayed'),
        ]).toEqual([route, 200, first?.text, 'true'])
        const other = await send({ ...(each.body as object | undefined), unheeded: true })
        expect([route, other.status, other.body.code]).toEqual([
          route,
          422,
          'idempotency_key_reused',
        ])
        for (const { status, headers: sent, body } of [refused, other]) {
          const type = sent.get('content-type') ?? ''
          expect([route, api.problemWith(route, status, type, body)]).toEqual([route, undefined])
        }
        note(409, [route])
        note(422, [route])
      }
    } finally {
      await database.end()
    }
  })
})

describe('a cluster that fails', () => {
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
    note(500, [each.route])
  }

  test('is a 500 without details, and the next request succeeds', async () => {
    const { account, running, namespace } = world
    const pod = await podOf(account, running)
    const good = goodCases()
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
})

describe('a gateway', () => {
  const expected = (status: number) => ({
    status,
    retryAfter: expect.stringMatching(/^\d+$/),
    problem: undefined,
  })

  test('returns 503 with Retry-After on every route without a deployer', async () => {
    await using gateway = await startLoneGateway({})
    for (const [route, each] of goodCases())
      expect([route, await problemOf(gateway, api, each)]).toEqual([route, expected(503)])
    note(503, goodCases().keys())
  })

  test('returns 429 with Retry-After on every route to callers over their rate limit', async () => {
    await using gateway = await startLoneGateway({
      RATE_LIMIT_USER_PER_SECOND: '1',
      RATE_LIMIT_USER_BURST: '1',
    })
    for (const [route, each] of goodCases()) {
      const answers = await Promise.all([1, 2, 3, 4].map(() => problemOf(gateway, api, each)))
      expect([route, answers.find(({ status }) => status === 429)]).toEqual([route, expected(429)])
    }
    note(429, goodCases().keys())
  })
})

test('the tests above cover every such status that the API document lists', () => {
  const listed = [...api.operations].flatMap(([route, { tags, responses }]) =>
    tags?.includes('deployments')
      ? Object.keys(responses)
          .filter((status) => ['409', '422', '429', '500', '503'].includes(status))
          .map((status) => `${route} ${status}`)
      : [],
  )
  // Only 500s that the cluster causes can be provoked.
  expect(listed.filter((each) => !each.endsWith(' 500') && !provoked.has(each))).toEqual([])
  expect([...provoked].filter((each) => !listed.includes(each))).toEqual([])
})
