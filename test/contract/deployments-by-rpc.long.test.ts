import { isMessage } from '@bufbuild/protobuf'
import type { Transport } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import {
  DeploymentService,
  ValidateDeploymentResponseSchema,
} from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { IngestionService } from '@slipway/proto/slipway/deployer/v1/ingestion_service'
import { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'
import { createGrpcTransport, readRemoteError } from '@slipway/shared/rpc'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { tokenOf } from '../support/api.ts'
import { fromStack } from '../support/environment.ts'
import { titleOf } from './cases/case.ts'
import type { DeploymentCase } from './cases/deployment-case.ts'
import { USERS } from './support/catalog-fixture.ts'
import { makeDeploymentWorld, type DeploymentWorld } from './support/deployment-fixture.ts'
import { callAsRpc } from './support/deployment-rpc.ts'
import { sendAll } from './support/send-deployment-cases.ts'

// The cases of deployments.test.ts have the same outcome through RPC.

let world: DeploymentWorld
beforeAll(async () => {
  world = await makeDeploymentWorld()
}, 240_000)
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

async function outcome(transport: Transport, each: DeploymentCase): Promise<string> {
  const user = USERS[each.caller as keyof typeof USERS] as
    | (typeof USERS)[keyof typeof USERS]
    | undefined
  const headers = user === undefined ? {} : { authorization: `Bearer ${await tokenOf(user)}` }
  try {
    const answer = await callAsRpc(transport, each, { headers })
    return isMessage(answer, ValidateDeploymentResponseSchema) && !answer.valid
      ? 'validation_failed'
      : 'ok'
  } catch (error) {
    return readRemoteError(error).reason ?? String(error)
  }
}

test.each(['gRPC', 'Connect JSON'])('%s', async (name) => {
  const [address = ''] = fromStack('DEPLOYER_GRPC').split(',')
  const [connectAddress = ''] = fromStack('DEPLOYER_CONNECT').split(',')
  using grpc = createGrpcTransport(
    [address],
    [DeploymentService, WorkloadService, IngestionService],
  )
  const json = {
    baseUrl: `http://${connectAddress}`,
    httpVersion: '1.1',
    useBinaryFormat: false,
  } as const
  const transport = name === 'gRPC' ? grpc : createConnectTransport(json)
  const all = await sendAll(world, async (each) => {
    const word = each.isHttpOnly === true ? 'not by RPC' : await outcome(transport, each)
    const expected =
      each.isHttpOnly === true ? word : each.status < 300 ? 'ok' : (each.code ?? word)
    return { found: [titleOf(each), word], expected: [titleOf(each), expected] }
  })
  expect(all.found).toEqual(all.expected)
})
