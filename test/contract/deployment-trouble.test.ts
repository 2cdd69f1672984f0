import type { Gateway } from '@slipway/gateway'
import { waitFor } from '@slipway/testing'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { tokenOf } from '../support/api.ts'
import { breakRequests } from '../support/broken-cluster.ts'
import { fromStack } from '../support/environment.ts'
import { startLoneGateway } from '../support/lone-gateway.ts'
import { readApiDocument, type ApiDocument } from './support/api-document.ts'
import { freshName, methodOf, pathOf } from './cases/case.ts'
import { deploymentCases, removingCases, type DeploymentCase } from './cases/deployment-cases.ts'
import {
  makeDeploymentWorld,
  makeLostPod,
  podOf,
  podPath,
  type DeploymentWorld,
} from './support/deployment-fixture.ts'
import { ask } from './support/catalog-fixture.ts'

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

/** One case of every route that would succeed, asked by the account's owner. */
function goodCases(): Map<string, DeploymentCase> {
  const good = [...deploymentCases(world), ...removingCases(world)].filter(
    ({ status }) => status === 200,
  )
  // Of several the simplest one.
  return new Map(good.toReversed().map((each) => [each.route, { ...each, caller: 'owner' }]))
}

const bodyOf = ({ body }: DeploymentCase) => (body === undefined ? {} : { body })

describe('an idempotency key', () => {
  // What takes the deployment away comes last.
  const posts = () =>
    [...goodCases()]
      .filter(([route]) => route.startsWith('POST') && !route.endsWith('/validate'))
      .sort(
        ([left], [right]) => Number(left === 'POST /undeploy') - Number(right === 'POST /undeploy'),
      )

  test('whose first request is at work is answered 409, one used for another request 422, the same again replayed', async () => {
    const database = new Client({ connectionString: fromStack('DEPLOYER_DATABASE_URL') })
    await database.connect()
    try {
      for (const [route, each] of posts()) {
        const headers = { 'idempotency-key': freshName('key') }
        const send = (body = each.body) =>
          ask('POST', pathOf(each), 'owner', body === undefined ? { headers } : { headers, body })
        // The first finds the stored answers locked, and so is still at work when its twin comes.
        await database.query('begin')
        await database.query('lock table idempotency_key in access exclusive mode')
        const both = [send(), send()]
        const refused = await Promise.race(both)
        await database.query('commit')
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
    // Nothing of what the API server said, nor where it is.
    expect(answer.text).not.toMatch(/webhook|127\.0\.0\.1|6443|slipway\.dev/)
    note(500, [each.route])
  }

  test('at the namespace, the pods or the Jobs is a 500 that tells nothing; and the next request goes well', async () => {
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
    // The intent was kept: the same request again is answered, whoever finished it.
    const again = await ask('POST', '/undeploy', 'owner', { body: { account, name: running } })
    expect([200, 404]).toContain(again.status)
    const body = { ...(of('POST /deploy').body as object), schedules: { nightly: '0 3 * * *' } }
    // How long the cluster takes to remove the namespace isn't the deployer's to say: it may be
    // told to come back.
    const deployed = async () => (await ask('POST', '/deploy', 'owner', { body })).status === 200
    await waitFor(deployed, { what: 'the deploy' })
  })
})

describe('a gateway', () => {
  async function send(gateway: Gateway, each: DeploymentCase) {
    const response = await fetch(`${gateway.url}/api/v1${pathOf(each)}`, {
      method: methodOf(each),
      headers: {
        authorization: `Bearer ${await tokenOf('alice')}`,
        'content-type': 'application/json',
      },
      ...(each.body === undefined ? {} : { body: JSON.stringify(each.body) }),
    })
    const contentType = response.headers.get('content-type') ?? ''
    const status = response.status
    const problem = api.problemWith(each.route, status, contentType, await response.json())
    return { status, retryAfter: response.headers.get('retry-after'), problem }
  }
  const expected = (status: number) => ({
    status,
    retryAfter: expect.stringMatching(/^\d+$/),
    problem: undefined,
  })

  test('that can’t reach the deployer answers 503 on every route, with a time to come back', async () => {
    await using gateway = await startLoneGateway({})
    for (const [route, each] of goodCases())
      expect([route, await send(gateway, each)]).toEqual([route, expected(503)])
    note(503, goodCases().keys())
  })

  test('answers 429 on every route to who asks too much, with a time to come back', async () => {
    await using gateway = await startLoneGateway({
      RATE_LIMIT_USER_PER_SECOND: '1',
      RATE_LIMIT_USER_BURST: '1',
    })
    for (const [route, each] of goodCases()) {
      const answers = await Promise.all([1, 2, 3, 4].map(() => send(gateway, each)))
      expect([route, answers.find(({ status }) => status === 429)]).toEqual([route, expected(429)])
    }
    note(429, goodCases().keys())
  })
})

test('every such code that a route of deployments lists was provoked', () => {
  const listed = [...api.operations].flatMap(([route, { tags, responses }]) =>
    tags?.includes('deployments')
      ? Object.keys(responses)
          .filter((status) => ['409', '422', '429', '500', '503'].includes(status))
          .map((status) => `${route} ${status}`)
      : [],
  )
  // A 500 may come from anywhere; what can be provoked is the cluster's.
  expect(listed.filter((each) => !each.endsWith(' 500') && !provoked.has(each))).toEqual([])
  expect([...provoked].filter((each) => !listed.includes(each))).toEqual([])
})
