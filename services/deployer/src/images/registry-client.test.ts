import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

import { parseImage, parseRegistryRealms } from '@slipway/agent-spec'
import { afterEach, describe, expect, test } from 'vitest'

import { RegistryConnections, type ResolveHost } from './connections.ts'
import { publicAddresses } from './public-address.ts'
import { askForDigest } from './registry-client.ts'

const DIGEST = `sha256:${'a1'.repeat(32)}`
/** Stands for an address of the internet. */
const PUBLIC = '127.0.0.2'
const LOGIN = { user: 'puller', password: 'secret' }
const REFUSED = /isn't public|doesn't use TLS/
const BASIC = `Basic ${Buffer.from('puller:secret').toString('base64')}`

let servers = new AsyncDisposableStack()
afterEach(async () => {
  await servers.disposeAsync()
  servers = new AsyncDisposableStack()
})

/** Starts an HTTP server on this machine that records what it is asked. */
async function serve(answer: RequestListener, address = '127.0.0.1') {
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
async function ask(
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

const found: RequestListener = (_request, response) => {
  response.setHeader('docker-content-digest', DIGEST).end()
}

test('returns the digest of a tag', async () => {
  const { host, requests } = await serve(found)
  expect(await ask(`${host}/acme/bot:1`, [host])).toEqual({ digest: DIGEST })
  expect(await ask(`${host}/acme/bot`, [host])).toEqual({ digest: DIGEST })
  expect(requests.map(({ url }) => url)).toEqual([
    'HEAD /v2/acme/bot/manifests/1',
    'HEAD /v2/acme/bot/manifests/latest',
  ])
})

test.each([
  [404, {}, 'not_found'],
  [403, {}, 'no_access'],
  [401, {}, 'no_access'],
  [500, {}, 'unavailable'],
  [200, {}, 'unavailable'],
  [200, { 'docker-content-digest': 'sha256:abc' }, 'unavailable'],
])('a response %s with %j means %s', async (status, headers, problem) => {
  const { host } = await serve((_request, response) => response.writeHead(status, headers).end())
  expect(await ask(`${host}/x`, [host])).toEqual({ problem })
})

test('logs in with the credentials of the image', async () => {
  const { host, requests } = await serve((request, response) => {
    if (request.headers.authorization === BASIC) return found(request, response)
    response.writeHead(401, { 'www-authenticate': 'Basic realm="registry"' }).end()
  })
  expect(await ask(`${host}/x`, [host], { login: LOGIN })).toEqual({ digest: DIGEST })
  expect(await ask(`${host}/x`, [host])).toEqual({ problem: 'no_access' })
  expect(requests.map(({ authorization }) => authorization)).toEqual([undefined, BASIC, undefined])
})

test('gets a token for the repository', async () => {
  const { host, requests } = await serve((request, response) => {
    const { authorization } = request.headers
    if (request.url?.startsWith('/token')) {
      if (authorization === BASIC) response.end('{"token":"abc"}')
      else response.writeHead(401).end()
    } else if (authorization === 'Bearer abc') found(request, response)
    else {
      const realm = `Bearer realm="http://${request.headers.host}/token",service="r",scope="all"`
      response.writeHead(401, { 'www-authenticate': realm }).end()
    }
  })
  expect(await ask(`${host}/acme/bot:1`, [host], { login: LOGIN })).toEqual({ digest: DIGEST })
  expect(requests[1]).toEqual({
    url: 'GET /token?service=r&scope=repository%3Aacme%2Fbot%3Apull',
    authorization: BASIC,
  })
  expect(await ask(`${host}/acme/bot:1`, [host])).toEqual({ problem: 'no_access' })
})

test('a redirect gets no credentials of the registry that it leaves', async () => {
  const other = await serve(found)
  const { host } = await serve((request, response) => {
    if (request.headers.authorization === undefined)
      response.writeHead(401, { 'www-authenticate': 'Basic' }).end()
    else response.writeHead(307, { location: `http://${other.host}/elsewhere` }).end()
  })
  const allowed = [host, other.host]
  expect(await ask(`${host}/x`, allowed, { login: LOGIN })).toEqual({ digest: DIGEST })
  expect(other.requests).toEqual([{ url: 'HEAD /elsewhere', authorization: undefined }])
})

test('neither a redirect nor a realm leads to an internal address', async () => {
  const victim = await serve(found)
  const redirecting = await serve((_request, response) =>
    response.writeHead(302, { location: `http://${victim.host}/` }).end(),
  )
  await expect(ask(`${redirecting.host}/x`, [redirecting.host])).rejects.toThrow(REFUSED)
  const realms = await serve((_request, response) => {
    const realm = `Bearer realm="http://${victim.host}/token"`
    response.writeHead(401, { 'www-authenticate': realm }).end()
  })
  await expect(ask(`${realms.host}/x`, [realms.host])).rejects.toThrow(REFUSED)
  for (const target of ['http', 'https'].map((scheme) => `${scheme}://${victim.host}/`)) {
    const moved = await serve((_request, response) =>
      response.writeHead(307, { location: target }).end(),
    )
    await expect(ask(`${moved.host}/x`, [moved.host], { login: LOGIN })).rejects.toThrow(REFUSED)
  }
  expect(victim.requests).toEqual([])
})

test.each([
  ['an address', '127.0.0.1'],
  ['a spelling of an address', '0x7f000001'],
  ['an address that is mapped to IPv6', '[::ffff:7f00:1]'],
  ['a name of this machine', 'registry.example'],
])('asks no registry at %s that the operator does not allow', async (_what, name) => {
  const victim = await serve(found)
  const port = victim.host.slice(victim.host.indexOf(':'))
  // The name first has a public address, and then an internal one.
  let lookups = 0
  const resolve: ResolveHost = () => Promise.resolve([lookups++ === 0 ? '127.0.0.1' : '::1'])
  expect(await ask(`${name}${port}/x`, [], { resolve })).toEqual({ problem: 'internal' })
  expect(victim.requests).toEqual([])
})

test.each([
  ['http', 'use TLS'],
  ['https', "isn't public"],
])('a public registry does not lead by %s to one that is allowed', async (scheme, reason) => {
  const allowed = await serve(found)
  const open = await serve((request, response) => {
    if (!request.url?.includes('moved')) return found(request, response)
    response.writeHead(307, { location: `${scheme}://${allowed.host}/` }).end()
  }, PUBLIC)
  const resolve: ResolveHost = () => Promise.resolve([PUBLIC])
  const name = `registry.example${open.host.slice(open.host.indexOf(':'))}`
  expect(await ask(`${name}/x`, [allowed.host], { resolve })).toEqual({ digest: DIGEST })
  await expect(ask(`${name}/moved`, [allowed.host], { resolve })).rejects.toThrow(reason)
  expect(allowed.requests).toEqual([])
})

test.each([
  [['10.0.0.5'], 'internal'],
  [[PUBLIC, '10.0.0.5'], 'internal'],
  [['fd00::1'], 'internal'],
  [['::ffff:10.0.0.5'], 'internal'],
  [[PUBLIC, '64:ff9b::a00:5'], 'internal'],
  [[PUBLIC, '64:ff9b::808:808'], undefined],
])('a registry with the addresses %j is %s', async (addresses, problem) => {
  const open = await serve(found, PUBLIC)
  const image = `registry.example${open.host.slice(open.host.indexOf(':'))}/x`
  const resolve: ResolveHost = () => Promise.resolve(addresses)
  const digest = problem === undefined ? { digest: DIGEST } : { problem }
  expect(await ask(image, [], { resolve })).toEqual(digest)
})

test('a change of the addresses after the check makes no difference', async () => {
  const victim = await serve(found)
  let lookups = 0
  const resolve: ResolveHost = () => Promise.resolve([lookups++ === 0 ? PUBLIC : '127.0.0.1'])
  const image = `registry.example${victim.host.slice(victim.host.indexOf(':'))}/x`
  await expect(ask(image, [], { resolve })).rejects.toThrow("isn't public")
  expect(victim.requests).toEqual([])
})

describe('the login of a registry', () => {
  const thief: RequestListener = (request, response) => {
    if (request.url?.startsWith('/token')) return void response.end('{"token":"abc"}')
    const realm = `http://${request.headers.host}/token`
    response.writeHead(401, { 'www-authenticate': `Bearer realm="${realm}"` }).end()
  }

  test.each(['Bearer', 'Basic'])(
    'is not for the target of a redirect that asks for %s',
    async (scheme) => {
      const target = await serve(
        scheme === 'Bearer'
          ? thief
          : (_request, response) =>
              response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end(),
      )
      const own = await serve((_request, response) =>
        response.writeHead(307, { location: `http://${target.host}/elsewhere` }).end(),
      )
      const answer = await ask(`${own.host}/x`, [own.host, target.host], { login: LOGIN })
      expect(answer).toEqual({ problem: 'no_access' })
      const sent = [...own.requests, ...target.requests].map(({ authorization }) => authorization)
      expect(sent).toEqual([undefined, undefined])
    },
  )

  const elsewhere = async () => {
    const tokens = await serve((_request, response) => response.end('{"token":"abc"}'))
    const realm = `http://${tokens.host}`
    const own = await serve((request, response) => {
      if (request.headers.authorization === 'Bearer abc') return found(request, response)
      const challenge = `Bearer realm="${realm}/token"`
      response.writeHead(401, { 'www-authenticate': challenge }).end()
    })
    return { own, tokens, realm, allowed: [own.host, tokens.host] }
  }

  test('goes to a realm that the operator lists', async () => {
    const { own, tokens, realm, allowed } = await elsewhere()
    const realms = [`${own.host}=${realm}`]
    const options = { login: LOGIN, realms, onUnlistedRealm: expect.unreachable }
    expect(await ask(`${own.host}/x`, allowed, options)).toEqual({ digest: DIGEST })
    expect(tokens.requests.map(({ authorization }) => authorization)).toEqual([BASIC])
  })

  test('goes to no other realm', async () => {
    const { own, tokens, allowed } = await elsewhere()
    const options = { login: LOGIN, realms: ['other.example=https://auth.example'] }
    await expect(ask(`${own.host}/x`, allowed, options)).rejects.toThrow(
      `add ${own.host}=http://${tokens.host} to REGISTRY_REALMS`,
    )
    expect(tokens.requests).toEqual([])
    // Anyone may ask without a login.
    expect(await ask(`${own.host}/x`, allowed, { realms: [] })).toEqual({ digest: DIGEST })
  })

  test('goes to any realm of the registry, with a warning, until the operator decides', async () => {
    const { own, realm, allowed } = await elsewhere()
    const warnings: string[] = []
    const options = { login: LOGIN, onUnlistedRealm: (origin: string) => warnings.push(origin) }
    expect(await ask(`${own.host}/x`, allowed, options)).toEqual({ digest: DIGEST })
    expect(warnings).toEqual([realm])
  })
})

test('endless redirects, tokens and headers end', async () => {
  const loop = await serve((_request, response) => response.writeHead(307, { location: '/' }).end())
  await expect(ask(`${loop.host}/x`, [loop.host])).rejects.toThrow('redirects too often')
  const endless = await serve((request, response) => {
    if (!request.url?.startsWith('/token')) {
      const realm = `Bearer realm="http://${request.headers.host}/token"`
      response.writeHead(401, { 'www-authenticate': realm }).end()
      return
    }
    const more = () => {
      while (response.writable && response.write('x'.repeat(10_000)));
    }
    response.on('drain', more)
    more()
  })
  await expect(ask(`${endless.host}/x`, [endless.host])).rejects.toThrow('exceeded')
})
