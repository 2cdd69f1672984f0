import type { HandlerContext } from '@connectrpc/connect'
import { DeploymentService } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { startGrpcServer, type GrpcServer } from '@slipway/shared/rpc'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startLoneGateway, type LoneGateway } from './support/lone-gateway.ts'
import { partialService } from './support/partial-service.ts'

/** How long an operation waits for another one on the same agent, by default. */
const LOCK_WAIT_MS = 30_000

let deployer: GrpcServer
let gateway: LoneGateway
let leftMs: number | undefined

beforeAll(async () => {
  const recordDeadline = (_request: unknown, { timeoutMs }: HandlerContext) => {
    leftMs = timeoutMs()
    return {}
  }
  const service = partialService(DeploymentService, {
    deploy: recordDeadline,
    rollback: recordDeadline,
    undeploy: recordDeadline,
    rotateIngestToken: recordDeadline,
    validateDeployment: recordDeadline,
  })
  deployer = await startGrpcServer('127.0.0.1:0', [service], 0)
  gateway = await startLoneGateway({ DEPLOYER_ADDRESS: deployer.address })
})

afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  await deployer[Symbol.asyncDispose]()
})

const target = { account: 'alice', name: 'bot' }

test.each([
  ['a deploy', '/deploy', target],
  ['a deploy that waits, by a deployer of the previous release', '/deploy?wait=1', target],
  ['a rollback', '/agents/alice/bot/deployment/rollback', {}],
  ['an undeploy', '/undeploy', target],
  ['a token rotation', '/agents/alice/bot/deployment/rotate-ingest-token', undefined],
  ['a validation in the cluster', '/deploy/validate?dry_run=server', target],
])('sets a deadline for %s that exceeds the wait for its lock', async (_what, path, body) => {
  leftMs = undefined
  const token = await gateway.issuer.userToken('alice')
  await gateway.send('POST', `/api/v1${path}`, {
    token,
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(leftMs).toBeGreaterThan(LOCK_WAIT_MS)
})
