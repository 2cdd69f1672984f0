import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { RepositoryClient } from './registry-client.ts'

const BASIC = `Basic ${Buffer.from('me:secret').toString('base64')}`
const IDENTITY = 'identity-secret'

let servers = new AsyncDisposableStack()
afterEach(async () => {
  await servers.disposeAsync()
  servers = new AsyncDisposableStack()
})

interface Seen {
  readonly url: string
  readonly authorization: string | undefined
  readonly body: string
}

/** Starts a server on this machine that records what it gets. */
async function serve(answer: RequestListener) {
  const requests: Seen[] = []
  const server = createServer((request, response) => {
    void (async () => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      const { authorization } = request.headers
      requests.push({ url: `${request.method} ${request.url}`, authorization, body })
      answer(request, response)
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.defer(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, origin: `http://${host}`, requests }
}

/** Serves tokens, and asks for them everywhere else. */
const thief: RequestListener = (request, response) => {
  if (request.url?.startsWith('/token')) return void response.end('{"token":"abc"}')
  const realm = `Bearer realm="http://${request.headers.host}/token"`
  response.writeHead(401, { 'www-authenticate': realm }).end()
}

/** A client of `a/b` at a registry with a login of docker. */
function clientOf(
  { host, origin }: { readonly host: string; readonly origin: string },
  { login = { auth: BASIC.slice(6) }, realms = '' }: { login?: object; realms?: string } = {},
) {
  const warnings: string[] = []
  const environment = {
    HOME: '/nowhere',
    DOCKER_AUTH_CONFIG: JSON.stringify({ auths: { [host]: login } }),
    SLIPWAY_REGISTRY_REALMS: realms,
  }
  const onWarning = (line: string) => void warnings.push(line)
  const client = new RepositoryClient(origin, 'a/b', 'pull', { environment, onWarning })
  const request = async () =>
    await client.request({ action: 'test', method: 'GET', path: 'tags/list', expected: [200] })
  return { client, request, warnings }
}

test.each(['Bearer', 'Basic'])(
  'the target of a redirect that asks for %s gets no login',
  async (scheme) => {
    const target = await serve(
      scheme === 'Bearer'
        ? thief
        : (_request, response) => response.writeHead(401, { 'www-authenticate': 'Basic' }).end(),
    )
    const own = await serve((_request, response) =>
      response.writeHead(307, { location: `${target.origin}/elsewhere` }).end(),
    )
    await expect(clientOf(own).request()).rejects.toThrow('the registry returned 401')
    const sent = [...own.requests, ...target.requests]
    expect(sent.map(({ authorization }) => authorization)).toEqual([undefined, undefined])
  },
)

test('a redirect within a registry keeps its login, one away from it does not', async () => {
  const other = await serve((_request, response) => response.end('{}'))
  const own = await serve((request, response) => {
    if (request.headers.authorization !== BASIC)
      response.writeHead(401, { 'www-authenticate': 'Basic' }).end()
    else if (request.url === '/moved')
      response.writeHead(302, { location: `${other.origin}/last` }).end()
    else response.writeHead(301, { location: '/moved' }).end()
  })
  const { status } = await clientOf(own).request()
  expect(status).toBe(200)
  expect(own.requests.at(-1)).toMatchObject({ url: 'GET /moved', authorization: BASIC })
  expect(other.requests).toMatchObject([{ url: 'GET /last', authorization: undefined }])
})

test('a redirected upload is sent again as a whole, without the login', async () => {
  const other = await serve((_request, response) => response.writeHead(201).end())
  const own = await serve((request, response) => {
    if (request.headers.authorization === BASIC)
      response.writeHead(307, { location: `${other.origin}/upload` }).end()
    else response.writeHead(401, { 'www-authenticate': 'Basic' }).end()
  })
  const { client } = clientOf(own)
  const body = async () => ReadableStream.from([new TextEncoder().encode('layer')])
  const call = { action: 'test', method: 'PUT', path: 'blobs/uploads/1', body } as const
  await client.request({ ...call, expected: [201] })
  expect(other.requests).toEqual([{ url: 'PUT /upload', authorization: undefined, body: 'layer' }])
})

async function registryWithRealmElsewhere() {
  const tokens = await serve((request, response) => {
    if (request.url?.startsWith('/token')) response.end('{"token":"abc"}')
  })
  const own = await serve((request, response) => {
    if (request.headers.authorization === 'Bearer abc') return void response.end('{}')
    const challenge = `Bearer realm="${tokens.origin}/token"`
    response.writeHead(401, { 'www-authenticate': challenge }).end()
  })
  return { own, tokens }
}

test('a realm at another host gets the login with a warning', async () => {
  const { own, tokens } = await registryWithRealmElsewhere()
  const { request, warnings } = clientOf(own)
  await request()
  await request()
  expect(tokens.requests).toMatchObject([{ authorization: BASIC }])
  expect(warnings).toEqual([
    expect.stringContaining(`add ${own.host}=${tokens.origin} to SLIPWAY_REGISTRY_REALMS`),
  ])
})

test('a realm without TLS at another host gets no login unless it is listed', async () => {
  const realm = 'http://tokens.invalid'
  const own = await serve((_request, response) =>
    response.writeHead(401, { 'www-authenticate': `Bearer realm="${realm}/token"` }).end(),
  )
  const { request, warnings } = clientOf(own)
  await expect(request()).rejects.toThrow(`add ${own.host}=${realm} to SLIPWAY_REGISTRY_REALMS`)
  expect(warnings).toEqual([])
  const listed = clientOf(own, { realms: `${own.host}=${realm}` })
  await expect(listed.request()).rejects.toThrow('sign-in at tokens.invalid')
})

test('with a list of realms, only those get the login', async () => {
  const { own, tokens } = await registryWithRealmElsewhere()
  for (const realms of ['none', `other.example=${tokens.origin}`])
    await expect(clientOf(own, { realms }).request()).rejects.toThrow(
      `if that is right, add ${own.host}=${tokens.origin} to SLIPWAY_REGISTRY_REALMS`,
    )
  expect(tokens.requests).toEqual([])
  const { request, warnings } = clientOf(own, { realms: `${own.host}=${tokens.origin}` })
  await request()
  expect(tokens.requests).toMatchObject([{ authorization: BASIC }])
  expect(warnings).toEqual([])
  expect(() => clientOf(own, { realms: 'nonsense' })).toThrow(
    'SLIPWAY_REGISTRY_REALMS: nonsense must be a registry and the origin of its token endpoint',
  )
})

test('an identity token is not sent on by a redirect', async () => {
  const target = await serve((_request, response) => response.end('{"token":"abc"}'))
  const own = await serve((request, response) => {
    if (request.url?.startsWith('/token'))
      response.writeHead(307, { location: `${target.origin}/stolen` }).end()
    else thief(request, response)
  })
  const { request } = clientOf(own, { login: { identitytoken: IDENTITY } })
  await expect(request()).rejects.toThrow('no response from')
  expect(own.requests.at(-1)?.body).toContain(IDENTITY)
  expect(target.requests).toEqual([])
})
