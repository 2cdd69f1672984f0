import { toJson, type DescMessage, type MessageShape } from '@bufbuild/protobuf'
import { createClient, type Transport } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import {
  AccountService,
  GetProfileResponseSchema,
  ListMembersResponseSchema,
} from '@slipway/proto/slipway/catalog/v1/account_service'
import {
  GetAgentConfigResponseSchema,
  GetDeploymentTemplateResponseSchema,
} from '@slipway/proto/slipway/catalog/v1/agent_config'
import {
  AgentService,
  GetAgentResponseSchema,
  ListAccountAgentsResponseSchema,
  ListAgentsResponseSchema,
} from '@slipway/proto/slipway/catalog/v1/agent_service'
import { createGrpcTransport, type RpcTransport } from '@slipway/shared/rpc'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { fromStack } from '../support/environment.ts'
import {
  ask,
  callerToken,
  makeWorld,
  read,
  type Caller,
  type World,
} from './support/catalog-fixture.ts'

const REGISTRY = 'oci://registry.example/contract'

let world: World
let grpc: RpcTransport
let transports: readonly Transport[]
beforeAll(async () => {
  world = await makeWorld()
  const [address = ''] = fromStack('CATALOG_GRPC').split(',')
  const [connectAddress = ''] = fromStack('CATALOG_CONNECT').split(',')
  grpc = createGrpcTransport([address], [AgentService, AccountService])
  const connect = { baseUrl: `http://${connectAddress}`, httpVersion: '1.1' } as const
  transports = [
    grpc,
    createConnectTransport({ ...connect, useBinaryFormat: false }),
    createConnectTransport({ ...connect, useBinaryFormat: true }),
  ]
})
afterAll(() => grpc[Symbol.dispose]())

/** The gRPC response as JSON; fails when Connect's JSON or binary response differs. */
async function agreed<Schema extends DescMessage>(
  schema: Schema,
  caller: Caller,
  call: (
    transport: Transport,
    options: { headers: Record<string, string> },
  ) => Promise<MessageShape<Schema>>,
): Promise<unknown> {
  const token = await callerToken(caller)
  const headers: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token}` }
  const [first, ...others] = await Promise.all(
    transports.map(async (transport) => toJson(schema, await call(transport, { headers }))),
  )
  expect(others).toEqual([first, first])
  return first
}

const agents = (transport: Transport) => createClient(AgentService, transport)
const accounts = (transport: Transport) => createClient(AccountService, transport)

test('returns the same agents over RPC as over REST', async () => {
  const { account, published: name } = world
  const detail = await read(`/agents/${account}/${name}`, 'member')
  const rpcDetail = await agreed(GetAgentResponseSchema, 'member', (transport, options) =>
    agents(transport).getAgent({ account, name }, options),
  )
  expect(rpcDetail).toMatchObject({
    agent: {
      account,
      name,
      registry: REGISTRY,
      versions: detail.versions.map((version: Record<string, unknown>) => ({
        buildId: version['build_id'],
        specJson: JSON.stringify(version['spec']),
        readme: version['readme'],
        ...(version['version'] === undefined ? {} : { version: version['version'] }),
      })),
    },
  })
  const list = await agreed(ListAgentsResponseSchema, 'anonymous', (transport, options) =>
    agents(transport).listAgents({ account, includeSpec: true, includeReadme: true }, options),
  )
  expect(list).toMatchObject({
    agents: [{ account, name, versions: [{ buildId: 'b1', tags: ['contract'] }] }],
  })
  const own = await agreed(ListAccountAgentsResponseSchema, 'member', (transport, options) =>
    agents(transport).listAccountAgents({ account, pageSize: 1 }, options),
  )
  const ownList = await read(`/agents/${account}?limit=1`, 'member')
  expect(own).toMatchObject({
    agents: [{ name: ownList.agents[0].name }],
    nextPageToken: ownList.next_cursor,
  })
})

test('returns the same deployment needs over RPC as over REST', async () => {
  const { account, published: name } = world
  const config = await agreed(GetAgentConfigResponseSchema, 'stranger', (transport, options) =>
    agents(transport).getAgentConfig({ account, name, interfaces: ['slack'] }, options),
  )
  const { credentials } = await read(
    `/agents/${account}/${name}/config?interfaces=slack`,
    'stranger',
  )
  expect(config).toEqual({
    buildId: 'b1',
    version: '1.0.0',
    choice: 'BUILD_CHOICE_NEWEST_PUBLISHED',
    credentials: credentials.map(({ optional, ...rest }: { optional: boolean }) =>
      optional ? { optional, ...rest } : rest,
    ),
  })
  const template = (await agreed(
    GetDeploymentTemplateResponseSchema,
    'member',
    (transport, options) =>
      agents(transport).getDeploymentTemplate({ account, name, buildId: 'b1' }, options),
  )) as { templateJson: string }
  const rest = await ask(
    'GET',
    `/agents/${account}/${name}/deployment-template?build=b1&format=json`,
    'member',
  )
  expect(template.templateJson).toBe(rest.text)
})

test('returns the same accounts over RPC as over REST', async () => {
  const { account, ids } = world
  const profile = await agreed(GetProfileResponseSchema, 'member', (transport, options) =>
    accounts(transport).getProfile({}, options),
  )
  expect(profile).toMatchObject({
    user: { id: ids.member, email: 'carol@example.test', firstName: 'Carol' },
  })
  const members = await agreed(ListMembersResponseSchema, 'member', (transport, options) =>
    accounts(transport).listMembers({ account, pageSize: 2 }, options),
  )
  const page = await read(`/accounts/${account}/members?limit=2`, 'member')
  expect(members).toMatchObject({
    members: page.members.map(({ user_id: id, role }: { user_id: string; role: string }) => ({
      user: { id },
      role: `ROLE_${role.toUpperCase()}`,
    })),
    nextPageToken: page.next_cursor,
  })
})
