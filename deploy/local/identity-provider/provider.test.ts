import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePorts } from '@slipway/testing/free-ports'
import { deviceLogin, login, UnknownUser } from './device-login.ts'
import {
  COMMAND_LINE_CLIENT,
  SERVICE_AUDIENCE,
  SHORT_LIVED_CLIENT,
  USER_AUDIENCE,
  users,
} from './identities.ts'
import { loadKeys } from './keys.ts'
import { createProvider } from './provider.ts'
import { serveProvider } from './server.ts'

const serviceSecrets = { catalog: 'not so secret here' }
let issuer = ''
let directory = ''
let server: Awaited<ReturnType<typeof serveProvider>>

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'identity-provider-'))
  const [port = 0] = await freePorts(1)
  issuer = `http://127.0.0.1:${port}`
  server = await serveProvider(
    createProvider({ issuer, keys: loadKeys(keysFile()), serviceSecrets, users }),
    users,
    { host: '127.0.0.1', port },
  )
})

const keysFile = () => join(directory, 'keys.json')

afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await rm(directory, { recursive: true })
})

test.each([
  ['localhost', 200],
  ['rebound.attacker.example', 421],
  ['127.0.0.1.attacker.example', 421],
  ['localhost.attacker.example', 421],
])('a request for the host %s gets a %d', async (hostname, status) => {
  const { port } = new URL(issuer)
  const url = `${issuer}/.well-known/openid-configuration`
  const sent = request(url, { headers: { host: `${hostname}:${port}` } }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  expect(response.statusCode).toBe(status)
})

describe('device flow', () => {
  test('lets clients ask for their tokens every second', async () => {
    const body = new URLSearchParams({ client_id: COMMAND_LINE_CLIENT, scope: 'openid api' })
    const response = await fetch(`${issuer}/device/auth`, { method: 'POST', body })
    expect(await response.json()).toMatchObject({ user_code: expect.any(String), interval: 1 })
  })

  test.each(users)(
    'issues $username a token with their names that is valid for two hours',
    async (user) => {
      const { payload, protectedHeader } = await verify(
        await login(issuer, user.username),
        USER_AUDIENCE,
      )
      expect(protectedHeader).toMatchObject({ typ: 'at+jwt', alg: 'ES256' })
      expect(payload).toMatchObject({
        sub: user.subject,
        preferred_username: user.username,
        email: user.email,
        given_name: user.givenName,
        family_name: user.familyName,
      })
      expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(7200)
    },
  )

  test('serves many concurrent logins', async () => {
    const tokens = await Promise.all(Array.from({ length: 20 }, () => login(issuer, 'alice')))
    expect(new Set(tokens).size).toBe(20)
  })

  test('rejects an unknown user', async () => {
    await expect(login(issuer, 'nobody')).rejects.toThrow(UnknownUser)
  })

  test('has a client whose tokens expire after two seconds', async () => {
    const { payload } = await verify(
      await login(issuer, 'bob', { clientId: SHORT_LIVED_CLIENT }),
      USER_AUDIENCE,
    )
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(2)
  })

  test('issues a refresh token that works', async () => {
    const scope = 'openid offline_access api'
    const { refreshToken } = await deviceLogin(issuer, 'carol', { scope })
    const { status, body } = await form('/token', {
      client_id: 'slipway-cli',
      grant_type: 'refresh_token',
      refresh_token: refreshToken ?? '',
    })
    expect(status).toBe(200)
    const { payload } = await verify(String(body['access_token']), USER_AUDIENCE)
    expect(payload).toMatchObject({ preferred_username: 'carol' })
  })

  test('returns authorization_pending until the code is approved', async () => {
    const device = await form('/device/auth', { client_id: 'slipway-cli' })
    const { body } = await form('/token', {
      client_id: 'slipway-cli',
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: String(device.body['device_code']),
    })
    expect(body).toMatchObject({ error: 'authorization_pending' })
  })
})

describe('client credentials', () => {
  test('issue a service its own token', async () => {
    const { status, body } = await clientCredentials(SERVICE_AUDIENCE)
    expect(status).toBe(200)
    const { payload } = await verify(String(body['access_token']), SERVICE_AUDIENCE)
    expect(payload).toMatchObject({ sub: 'catalog', client_id: 'catalog' })
  })

  test('issue no token for the audience of users', async () => {
    expect((await clientCredentials(USER_AUDIENCE)).body).toMatchObject({ error: 'invalid_target' })
  })

  test('are the only way to get a token for the audience of services', async () => {
    const answer = await form('/device/auth', {
      client_id: 'slipway-cli',
      resource: SERVICE_AUDIENCE,
    })
    expect(answer.body).toMatchObject({ error: 'invalid_target' })
  })
})

test('keeps its keys after a restart', async () => {
  const { kid } = decodeProtectedHeader(await login(issuer, 'alice'))
  expect(loadKeys(keysFile()).jwks.keys.map((key) => key.kid)).toContain(kid)
})

async function verify(token: string, audience: string) {
  // Verified as of its issue time: a short-lived token may have expired by now.
  const currentDate = new Date((decodeJwt(token).iat ?? 0) * 1000)
  return jwtVerify(token, createRemoteJWKSet(new URL(`${issuer}/jwks`)), {
    issuer,
    audience,
    currentDate,
  })
}

async function clientCredentials(resource: string) {
  const credentials = `catalog:${encodeURIComponent(serviceSecrets.catalog)}`
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
  return form('/token', { grant_type: 'client_credentials', resource }, { authorization })
}

async function form(
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${issuer}${path}`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(fields),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
