import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { lineProxy, waitFor, type LineProxy } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { deployerKubeconfigVia, startDeployerAndGateway } from '../support/deployer-and-gateway.ts'
import { readApiDocument, type ApiDocument } from './support/api-document.ts'

const NAME = 'cut-off'
const SPEC = `spec: astro/v1\nname: ${NAME}\nagent: {image: "registry.invalid/no-such-image:1"}\n`

let stack: AsyncDisposableStack
let directory: string
let api: ApiDocument
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  directory = await mkdtemp(join(tmpdir(), 'slipway-cluster-away-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  api = await readApiDocument()
})
afterAll(async () => {
  await stack.disposeAsync()
})

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: {
    readonly code?: string
    readonly k8s_namespace?: string
    readonly warnings?: readonly string[]
    readonly components?: readonly { readonly state: string }[]
  }
}

/** A deployer and gateway that reach the API server through a proxy, with an agent to deploy. */
interface Behind extends AsyncDisposable {
  readonly account: string
  readonly target: { readonly account: string; readonly name: string }
  readonly send: (method: string, path: string, body?: unknown) => Promise<Answer>
}

async function startBehind(line: LineProxy): Promise<Behind> {
  const file = join(directory, `kubeconfig-${new URL(line.url).port}`)
  await deployerKubeconfigVia(file, line.url)
  const system = await startDeployerAndGateway({ KUBECONFIG: file, KUBERNETES_TIMEOUT_MS: '5000' })
  const account = await system.accountOf('owner')
  const send: Behind['send'] = async (method, path, body) => {
    const response = await system.send('owner', method, path, body)
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Answer['body'],
    }
  }
  const build = { build_id: 'b1', registry: 'oci://registry.example', spec_content: SPEC }
  await send('POST', `/agents/${account}/${NAME}/register`, build)
  return {
    account,
    target: { account, name: NAME },
    send,
    [Symbol.asyncDispose]: () => system[Symbol.asyncDispose](),
  }
}

async function expect503(route: string, answer: Promise<Answer>): Promise<void> {
  const { status, headers, body } = await answer
  const problem = api.problemWith(route, status, headers.get('content-type') ?? '', body)
  expect([route, status, body.code, problem]).toEqual([
    route,
    503,
    'cluster_unreachable',
    undefined,
  ])
  expect(headers.get('retry-after')).toMatch(/^\d+$/)
  expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|ECONNREFUSED/)
}

test('returns 503 for what needs a silent API server, and still serves the state', async () => {
  await using line = await lineProxy(await deployerKubeconfigVia(join(directory, 'kubeconfig')))
  await using system = await startBehind(line)
  const { account, target, send } = system
  const statePath = `/agents/${account}/${NAME}/deployment`
  try {
    const namespace = await waitFor(
      async () => {
        const { status, body } = await send('POST', '/deploy', target)
        return status === 200 ? body.k8s_namespace : undefined
      },
      { what: 'the deploy' },
    )
    const isSeen = async () =>
      (await send('GET', statePath)).body.components?.some(({ state }) => state !== 'ready')
    await waitFor(isSeen, { what: 'the deployer to see that the agent is not ready' })
    line.freeze()
    await expect503('POST /deploy', send('POST', '/deploy', target))
    const logs = send('GET', `/deployments/${namespace}/logs?account=${account}&pod=any`)
    await expect503('GET /deployments/{namespace}/logs', logs)
    const state = await send('GET', statePath)
    expect([state.status, state.body.k8s_namespace]).toEqual([200, namespace])
    expect(state.body.warnings).toEqual([
      'failures: the cluster did not say in time why components are not ready; try again',
    ])
    expect((await send('POST', '/deploy/validate', target)).status).toBe(200)
  } finally {
    line.thaw()
    const undeploy = async () =>
      [200, 404].includes((await send('POST', '/undeploy', target)).status)
    await waitFor(undeploy, { what: 'the API server to respond again' })
  }
})

test('returns 503 for a deploy without an API server, and leaves no deployment', async () => {
  const stopped = await lineProxy('https://127.0.0.1:1')
  await stopped[Symbol.asyncDispose]()
  await using system = await startBehind(stopped)
  const { account, target, send } = system
  await expect503('POST /deploy', send('POST', '/deploy', target))
  expect((await send('GET', `/agents/${account}/${NAME}/deployment`)).status).toBe(404)
})
