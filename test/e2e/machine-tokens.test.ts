import { createClient } from '@connectrpc/connect'
import { DeploymentService } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { TraceService } from '@slipway/proto/slipway/observability/v1/trace_service'
import { createGrpcTransport, readRemoteError } from '@slipway/shared/rpc'
import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { request, type RequestOptions } from '../support/api.ts'
import { fromStack } from '../support/environment.ts'
import {
  API_TOKEN,
  registerSupportAgent,
  undeploy,
  type RegisteredAgent,
} from '../support/support-agent.ts'

const NAME = 'machine-token-agent'

let agent: RegisteredAgent
let creator = ''

beforeAll(async () => {
  agent = await registerSupportAgent(NAME)
  creator = (await request('GET', '/me', { as: 'alice' })).body.user.id
})
afterAll(async () => {
  await undeploy(agent)
})

interface Token {
  readonly id: string
  readonly secret: string
  readonly headers: { readonly authorization: string }
}

/** Creates a token of Alice's account; disposing of it revokes it. */
async function createToken(
  name: string,
  role: 'admin' | 'member',
): Promise<Token & AsyncDisposable> {
  const path = `/accounts/${agent.account}/tokens`
  const { status, body, text } = await request('POST', path, { as: 'alice', body: { name, role } })
  if (status !== 201) throw new Error(`the request returned ${status}: ${text}`)
  return {
    id: body.id,
    secret: body.token,
    headers: { authorization: `Bearer ${body.token}` },
    [Symbol.asyncDispose]: async () => {
      await revoke(body.id)
    },
  }
}

async function revoke(id: string): Promise<void> {
  await request('DELETE', `/accounts/${agent.account}/tokens/${id}`, { as: 'alice' })
}

/** The outcomes of calls of the internal ports with a token. */
async function atInternalPorts({ headers }: Token): Promise<unknown> {
  using deployer = createGrpcTransport(
    [fromStack('DEPLOYER_GRPC').split(',')[0] ?? ''],
    [DeploymentService],
  )
  using observability = createGrpcTransport(
    [fromStack('OBSERVABILITY_GRPC').split(',')[0] ?? ''],
    [TraceService],
  )
  const calls = {
    deployment: createClient(DeploymentService, deployer).getDeployment(
      { account: agent.account, name: NAME },
      { headers },
    ),
    traces: createClient(TraceService, observability).listTraces(
      { account: agent.account, name: NAME },
      { headers },
    ),
  }
  const outcomes = Object.entries(calls).map(async ([what, call]) => [
    what,
    await call.then(
      () => 'ok',
      (error: unknown) => readRemoteError(error).reason,
    ),
  ])
  return Object.fromEntries(await Promise.all(outcomes))
}

test('deploys with the role of a member, and is named by the revision', async () => {
  await using token = await createToken('e2e deploys', 'member')
  const as = (options: RequestOptions = {}) => ({ ...options, headers: token.headers })
  const body = {
    account: agent.account,
    name: NAME,
    user_credentials: { SUPPORT_API_TOKEN: API_TOKEN },
  }
  expect((await request('POST', '/deploy/validate', as({ body }))).status).toBe(200)
  expect((await request('POST', '/deploy', as({ body }))).status).toBe(200)
  const path = `/agents/${agent.account}/${NAME}`
  const { body: list } = await request('GET', `${path}/deployment/revisions`, as())
  expect(list.revisions[0]).toMatchObject({
    created_by: creator,
    created_by_token: { id: token.id, name: 'e2e deploys' },
  })
  const traces = `/agents/${agent.account}/${NAME}/observability/traces`
  expect((await request('GET', traces, as())).status).toBe(200)
  expect((await request('GET', `/accounts/${agent.account}/usage`, as())).status).toBe(200)
  const publication = { build_id: agent.buildId, version: '1.0.0' }
  expect((await request('POST', `${path}/publish`, as({ body: publication }))).status).toBe(403)
  const deletion = await request('DELETE', `/accounts/${agent.account}`, as())
  expect([deletion.status, deletion.body.code]).toEqual([403, 'permission_denied'])
})

test('is refused at the internal ports once it is revoked', async () => {
  await using token = await createToken('e2e ports', 'member')
  expect(await atInternalPorts(token)).toEqual({ deployment: 'ok', traces: 'ok' })
  await revoke(token.id)
  const rejected = { deployment: 'invalid_token', traces: 'invalid_token' }
  // The event drops it from the caches.
  const outcome = await waitFor(
    async () => {
      const found = JSON.stringify(await atInternalPorts(token))
      return found === JSON.stringify(rejected) ? found : undefined
    },
    { what: 'the services to reject the token' },
  )
  expect(outcome).toBe(JSON.stringify(rejected))
})

test('is a stranger in other accounts', async () => {
  await using token = await createToken('e2e others', 'admin')
  const { body } = await request('GET', '/me', { as: 'bob' })
  const other: string = body.accounts.find(({ type }: { type: string }) => type === 'personal').name
  const path = `/deployments?account=${other}`
  const { status, text } = await request('GET', path, { headers: token.headers })
  expect([status, text]).toEqual([
    403,
    expect.stringContaining(`the machine token is revoked, or is not one of the account ${other}`),
  ])
})
