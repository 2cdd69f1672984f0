import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

import { parseImage, parseRegistryRealms } from '@slipway/agent-spec'
import { afterEach } from 'vitest'

import { RegistryConnections, type ResolveHost } from '../../src/images/connections.ts'
import { publicAddresses } from '../../src/images/public-address.ts'
import { askForDigest } from '../../src/images/registry-client.ts'

/** The digest that `found` returns. */
export const DIGEST = `sha256:${'a1'.repeat(32)}`
/** Stands for an address of the internet. */
export const PUBLIC = '127.0.0.2'
/** What the operator has for the registry. */
export const LOGIN = { user: 'puller', password: 'secret' }
/** The login in a request. */
export const BASIC = `Basic ${Buffer.from('puller:secret').toString('base64')}`

let servers = new AsyncDisposableStack()
afterEach(async () => {
  await servers.disposeAsync()
  servers = new AsyncDisposableStack()
})

/** Starts an HTTP server on this machine that records what it is asked. */
export async function serve(answer: RequestListener, address = '127.0.0.1') {
  const requests: { url: string; authorization: string | undefined }[] = []
  const server = createServer((request, response) => {
    const { authorization } = request.headers
    requests.push({ url: `${request.method} ${request.url}`, authorization })
    answer(request, response)
  })
  server.listen(0, address)
  await once(server, 'listening')
  servers.defer(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return { host: `${address}:${(server.address() as AddressInfo).port}`, requests }
}

/** Asks for an image; `internal` are the hosts that the operator allows. */
export async function ask(
  image: string,
  internal: readonly string[],
  {
    login,
    resolve,
    realms,
    onUnlistedRealm = () => undefined,
  }: {
    login?: typeof LOGIN
    resolve?: ResolveHost
    realms?: readonly string[]
    onUnlistedRealm?: (realm: string) => void
  } = {},
) {
  const reference = parseImage(image)
  if (reference === undefined) throw new Error(`${image} is not valid`)
  const isPublic = (address: string) => address === PUBLIC || publicAddresses([])(address)
  await using connections = new RegistryConnections(isPublic, resolve)
  return await askForDigest(connections, reference, {
    login,
    plainHttp: true,
    mayBeInternal: (host) => internal.includes(host),
    realms: realms && parseRegistryRealms(realms),
    onUnlistedRealm,
    signal: AbortSignal.timeout(60_000),
  })
}

/** Answers as a registry that has the image. */
export const found: RequestListener = (_request, response) => {
  response.setHeader('docker-content-digest', DIGEST).end()
}
