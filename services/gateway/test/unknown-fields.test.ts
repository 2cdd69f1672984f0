import { DeployStatus } from '@slipway/proto/slipway/deployer/v1/deploy_result'
import { DeploymentService } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { startGrpcServer, type GrpcServer } from '@slipway/shared/rpc'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startLoneGateway, type Answer, type LoneGateway } from './support/lone-gateway.ts'
import { partialService } from './support/partial-service.ts'

const FROM_DEPLOYER = 'user_credentials.X: a warning of the deployer'
const UNKNOWN = 'interfacs: unknown field; did you mean interfaces?'

let deployer: GrpcServer
let gateway: LoneGateway
let wasStrict: boolean | undefined

beforeAll(async () => {
  const service = partialService(DeploymentService, {
    deploy: ({ target }) => {
      wasStrict = target?.strict
      return { result: { status: DeployStatus.SUCCESS, warnings: [FROM_DEPLOYER] } }
    },
    validateDeployment: ({ target }) => {
      wasStrict = target?.strict
      return { valid: true, warnings: [FROM_DEPLOYER] }
    },
  })
  deployer = await startGrpcServer('127.0.0.1:0', [service], 0)
  gateway = await startLoneGateway({ DEPLOYER_ADDRESS: deployer.address })
})

afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  await deployer[Symbol.asyncDispose]()
})

async function send(path: string, more: object): Promise<Answer> {
  wasStrict = undefined
  const token = await gateway.issuer.userToken('alice')
  const body = JSON.stringify({ account: 'alice', name: 'bot', ...more })
  return await gateway.send('POST', `/api/v1${path}`, { token, body })
}

test.each(['/deploy', '/deploy/validate'])(
  '%s adds its warnings to the deployer’s',
  async (path) => {
    const { status, body } = await send(path, { interfacs: [] })
    expect([status, body.warnings, wasStrict]).toEqual([200, [UNKNOWN, FROM_DEPLOYER], false])
  },
)

const UNKNOWN_PARAMETER = 'strikt: unknown query parameter; did you mean strict?'

test.each(['/deploy', '/deploy/validate'])('%s names unknown query parameters', async (path) => {
  const { status, body } = await send(`${path}?strikt=true`, { interfacs: [] })
  expect([status, body.warnings, wasStrict]).toEqual([
    200,
    [UNKNOWN, UNKNOWN_PARAMETER, FROM_DEPLOYER],
    false,
  ])
  const strict = await send(`${path}?strict=true&strikt=true`, {})
  expect([strict.status, strict.body.validation_errors, wasStrict]).toEqual([
    400,
    [UNKNOWN_PARAMETER],
    undefined,
  ])
})

test('bounds the query parameters that it names', async () => {
  const query = Array.from({ length: 200 }, (_, index) => `x${index}=1`).join('&')
  const { body } = await send(`/deploy?wait=0&${query}`, {})
  expect(body.warnings).toHaveLength(22)
  expect(body.warnings).toContain('query: 180 more unknown query parameters')
})

test.each(['/deploy', '/deploy/validate'])('%s rejects unknown fields if strict', async (path) => {
  const { status, body } = await send(`${path}?strict=true`, { interfacs: [] })
  expect([status, body.code, body.validation_errors, wasStrict]).toEqual([
    400,
    'invalid_argument',
    [UNKNOWN],
    undefined,
  ])
  await send(`${path}?strict=true`, {})
  expect(wasStrict).toBe(true)
})
