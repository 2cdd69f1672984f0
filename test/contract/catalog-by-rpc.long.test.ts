import type { DescService } from '@bufbuild/protobuf'
import { createConnectTransport } from '@connectrpc/connect-node'
import type { Transport } from '@connectrpc/connect'
import { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'
import { MachineTokenService } from '@slipway/proto/slipway/catalog/v1/machine_token_service'
import { AgentService } from '@slipway/proto/slipway/catalog/v1/agent_service'
import { DeploymentService } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { createGrpcTransport, readRemoteError } from '@slipway/shared/rpc'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { fromStack } from '../support/environment.ts'
import { expiredToken } from '../support/expired-token.ts'
import { titleOf, type Case } from './cases/case.ts'
import { casesOf, makingCases } from './cases/catalog-cases.ts'
import {
  callerToken,
  keepMember,
  makeWorld,
  withPreviousName,
  type WorldWithPreviousName,
} from './support/catalog-fixture.ts'
import { callAsRpc } from './support/catalog-rpc.ts'

// The cases of catalog.test.ts have the same outcome through RPC.

let world: WorldWithPreviousName
let cases: Case[]
beforeAll(async () => {
  world = await withPreviousName(await makeWorld())
  await expiredToken()
  cases = casesOf(world)
})
afterEach(async () => {
  await keepMember(world)
})

const channels = new DisposableStack()
const first = (addresses: string) => fromStack(addresses).split(',')[0] ?? ''
const connect = (addresses: string) =>
  createConnectTransport({
    baseUrl: `http://${first(addresses)}`,
    httpVersion: '1.1',
    useBinaryFormat: false,
  })
let transports: Record<string, Record<'catalog' | 'deployer', Transport>>

beforeAll(() => {
  const grpc = (addresses: string, services: DescService[]) =>
    channels.use(createGrpcTransport([first(addresses)], services))
  transports = {
    gRPC: {
      catalog: grpc('CATALOG_GRPC', [AgentService, AccountService, MachineTokenService]),
      deployer: grpc('DEPLOYER_GRPC', [DeploymentService]),
    },
    'Connect JSON': {
      catalog: connect('CATALOG_CONNECT'),
      deployer: connect('DEPLOYER_CONNECT'),
    },
  }
})
afterAll(() => channels.dispose())

/** `ok`, or the reason of the failure. */
async function outcome(name: string, each: Case): Promise<string> {
  const transport = transports[name]?.[each.service ?? 'catalog']
  if (transport === undefined) throw new Error('no transport')
  const token = await callerToken(each.caller)
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  try {
    await callAsRpc(transport, each, { headers })
    return 'ok'
  } catch (error) {
    return readRemoteError(error).reason ?? String(error)
  }
}

test.each(['gRPC', 'Connect JSON'])('%s', async (name) => {
  for (const each of cases.filter(({ isHttpOnly }) => isHttpOnly !== true)) {
    // Cases that don't name a code use the RPC's reason.
    const found = await outcome(name, each)
    expect([titleOf(each), found]).toEqual([
      titleOf(each),
      each.status < 300 ? 'ok' : (each.code ?? found),
    ])
  }
  for (const each of makingCases(world))
    expect([titleOf(each), await outcome(name, each)]).toEqual([titleOf(each), 'ok'])
})
