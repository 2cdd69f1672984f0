import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import type { DescMethod, DescService } from '@bufbuild/protobuf'
import { createClient, type CallOptions } from '@connectrpc/connect'
import { createGrpcTransport, readRemoteError } from '@slipway/shared/rpc'
import { beforeAll, expect, test } from 'vitest'

import { fromStack } from '../support/environment.ts'

// Each service has its own token. A stolen one must open only what its service needs.

const SERVICES = ['catalog', 'deployer', 'observability', 'gateway'] as const

/** The services that may make a call; no service may make any other that requires a token. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'slipway.catalog.v1.AccountService/CheckAccess': ['deployer', 'observability'],
  'slipway.catalog.v1.AccountService/DeleteAccount': ['deployer'],
  'slipway.catalog.v1.AgentService/DeleteAgent': ['deployer'],
  'slipway.catalog.v1.AgentService/ResolveBuild': ['deployer'],
  'slipway.catalog.v1.BrowserSessionService/CreateBrowserSession': ['gateway'],
  'slipway.catalog.v1.BrowserSessionService/EndBrowserSession': ['gateway'],
  'slipway.catalog.v1.BrowserSessionService/GetBrowserSession': ['gateway'],
  'slipway.catalog.v1.BrowserSessionService/LeaseBrowserSession': ['gateway'],
  'slipway.catalog.v1.BrowserSessionService/UpdateBrowserSession': ['gateway'],
  'slipway.deployer.v1.WorkloadService/ResolveIngestToken': ['observability'],
}

/** The calls that need no token. A service is anonymous in them. */
const PUBLIC = new Set([
  'slipway.catalog.v1.AgentService/ListAgents',
  'slipway.catalog.v1.AgentService/ListAccountAgents',
  'slipway.catalog.v1.AgentService/GetAgent',
])

let services: readonly DescService[]
const tokens = new Map<string, string>()
beforeAll(async () => {
  services = await findServices()
  for (const name of SERVICES) tokens.set(name, await tokenOf(name))
})

test('each RPC accepts only the services that are named for it', async () => {
  const accepted: Record<string, readonly string[]> = {}
  const expected: Record<string, readonly string[]> = {}
  for (const service of services) {
    for (const method of service.methods) {
      const path = `${service.typeName}/${method.name}`
      expected[path] = PUBLIC.has(path) ? SERVICES : (ALLOWED[path] ?? [])
      accepted[path] = await acceptedBy(method)
    }
  }
  expect(accepted).toEqual(expected)
  expect(Object.keys(expected)).toEqual(
    expect.arrayContaining([...Object.keys(ALLOWED), ...PUBLIC]),
  )
})

/** The services whose calls of a method are not refused because of who they are. */
async function acceptedBy(method: DescMethod): Promise<readonly string[]> {
  const [, owner = ''] = /^slipway\.(\w+)\./.exec(method.parent.typeName) ?? []
  const [address = ''] = fromStack(`${owner.toUpperCase()}_GRPC`).split(',')
  using transport = createGrpcTransport([address], [method.parent])
  const client = createClient(method.parent, transport) as unknown as Readonly<
    Record<string, (request: object, options: CallOptions) => Promise<unknown>>
  >
  const found: string[] = []
  for (const name of SERVICES) {
    const options = { headers: { authorization: `Bearer ${tokens.get(name)}` } }
    const call = client[method.localName]?.({}, options)
    const outcome = await firstOf(call).then(
      () => undefined,
      (error: unknown) => readRemoteError(error).reason,
    )
    if (outcome !== 'wrong_caller') found.push(name)
  }
  return found
}

/** The response of a call, or the first one of a stream. */
async function firstOf(call: unknown): Promise<unknown> {
  const isStream = typeof call === 'object' && call !== null && Symbol.asyncIterator in call
  if (!isStream) return await call
  return await (call as AsyncIterable<unknown>)[Symbol.asyncIterator]().next()
}

/** The services of all protos. */
async function findServices(): Promise<readonly DescService[]> {
  const folder = resolve(import.meta.dirname, '../../proto/gen/slipway')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const found: DescService[] = []
  for (const file of files.filter((each) => each.endsWith('_service_pb.ts'))) {
    const exported = (await import(join(folder, file))) as Readonly<Record<string, unknown>>
    for (const value of Object.values(exported)) if (isService(value)) found.push(value)
  }
  return found
}

function isService(value: unknown): value is DescService {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'service'
}

/** A service's own token, from its client credentials. */
async function tokenOf(name: string): Promise<string> {
  const path = join(fromStack('SLIPWAY_STATE_DIR'), `secrets/client-${name}`)
  const credentials = `${name}:${await readFile(path, 'utf8')}`
  const response = await fetch(`${fromStack('SLIPWAY_ISSUER')}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      resource: 'urn:slipway:internal',
    }),
  })
  const { access_token: token } = (await response.json()) as { access_token: string }
  return token
}
