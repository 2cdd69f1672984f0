import { expect, test } from 'vitest'

import {
  BASIC,
  DIGEST,
  LOGIN,
  PUBLIC,
  ask,
  found,
  serve,
} from '../../test/support/asked-registry.ts'
import type { ResolveHost } from './connections.ts'

const REFUSED = /isn't public|doesn't use TLS/

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
