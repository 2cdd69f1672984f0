import { createClient } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'
import { testAuthority, type TestAuthority } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { Unavailable } from '../src/errors.ts'
import { toDomainError, type RpcTransport, type TrustedCa } from '../src/rpc/index.ts'
import { asAlice, rpcFixture, type RpcFixture } from './support/rpc-fixture.ts'

let authority: TestAuthority
let stranger: TestAuthority
let secure: RpcFixture
let renamed: RpcFixture
let plain: RpcFixture

beforeAll(async () => {
  authority = await testAuthority()
  stranger = await testAuthority()
  secure = await rpcFixture({ certificate: await authority.issue('localhost') })
  renamed = await rpcFixture({ certificate: await authority.issue('other.example') })
  plain = await rpcFixture()
})
afterAll(async () => {
  for (const each of [secure, renamed, plain, authority, stranger])
    await each[Symbol.asyncDispose]()
})

/** Opens a transport to `localhost`, the name in the certificate. */
type Open = (fixture: RpcFixture, trustedCa?: TrustedCa) => RpcTransport

const openGrpc: Open = (fixture, trustedCa) =>
  fixture.grpc([byName(fixture.server.grpcAddress)], trustedCa)
const openConnect: Open = (fixture, trustedCa) =>
  fixture.connectUnary([byName(fixture.server.connectAddress)], trustedCa)

function byName(address: string): string {
  return address.replace('127.0.0.1', 'localhost')
}

describe.each([
  ['gRPC', openGrpc],
  ['Connect', openConnect],
])('over %s', (_name, open) => {
  const call = async (...options: Parameters<Open>) =>
    await createClient(WorkloadService, open(...options)).getConfigMap({ name: 'n' }, asAlice)

  async function failureOf(...options: Parameters<Open>): Promise<string> {
    const error = await call(...options).catch((thrown: unknown) => thrown)
    expect(toDomainError(error)).toBeInstanceOf(Unavailable)
    return String(error)
  }

  test('a client that trusts the authority of the certificate is answered', async () => {
    expect(await call(secure, () => authority.ca)).toMatchObject({ name: 'n' })
  })

  test.each([
    [
      'that trusts another authority',
      () => failureOf(secure, () => stranger.ca),
      'RPC_TLS_CA_FILE must',
    ],
    [
      'of a server with another name',
      () => failureOf(renamed, () => authority.ca),
      'must have the host',
    ],
    ['without TLS, of a server with it', () => failureOf(secure), 'set RPC_TLS_CA_FILE'],
    [
      'with TLS, of a server without it',
      () => failureOf(plain, () => authority.ca),
      'RPC_TLS_CERT_FILE',
    ],
  ])('a client %s gets Unavailable, with the remedy', async (_client, failure, remedy) => {
    expect(await failure()).toContain(remedy)
  })

  test('a client that starts without a valid authority uses one, and another, later', async () => {
    let ca = ''
    const trusted = () => {
      if (ca === '') throw new Error('RPC_TLS_CA_FILE is not valid')
      return ca
    }
    const client = createClient(WorkloadService, open(secure, trusted))
    const outcome = async () =>
      await client.getConfigMap({ name: 'n' }, asAlice).then(({ name }) => name, String)
    expect(await outcome()).toContain('[unavailable] RPC_TLS_CA_FILE is not valid')
    ca = stranger.ca
    expect(await outcome()).toContain('RPC_TLS_CA_FILE must')
    ca = authority.ca
    expect(await outcome()).toBe('n')
  })
})

test('Connect’s own handlers use TLS, too', async () => {
  const transport = createConnectTransport({
    baseUrl: `https://${byName(secure.server.connectAddress)}`,
    httpVersion: '1.1',
    useBinaryFormat: false,
    nodeOptions: { ca: authority.ca },
  })
  const client = createClient(WorkloadService, transport)
  expect(await client.getConfigMap({ name: 'n' }, asAlice)).toMatchObject({ name: 'n' })
})
