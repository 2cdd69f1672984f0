import { spawn } from 'node:child_process'
import { createHmac, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'

import { childEnvironment } from '@slipway/testing'
import { decodeJwt, SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'

import { request, tokenOf } from '../support/api.ts'
import { fromStack } from '../support/environment.ts'
import { expiredToken } from '../support/expired-token.ts'
import { startLoneGateway } from '../support/lone-gateway.ts'

interface Route {
  readonly method: string
  readonly path: string
}

let protectedRoutes: Route[]
let publicRoutes: Route[]
let badTokens: Record<string, string>

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token with these claims, signed by a key that the issuer doesn't know. */
async function forge(
  claims: Record<string, unknown>,
  header: { alg: string } & Record<string, unknown>,
): Promise<string> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return await new SignJWT(claims).setProtectedHeader(header).sign(privateKey)
}

beforeAll(async () => {
  const { body } = await request('GET', '/openapi.json')
  const routes = Object.entries(
    body.paths as Record<string, Record<string, { security?: readonly object[] }>>,
  ).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security }]) => ({
      method: method.toUpperCase(),
      path: path.replace('/api/v1', '').replaceAll(/\{\w+\}/g, 'x'),
      // By default the document requires a token. An empty requirement among the alternatives makes
      // it optional.
      isProtected:
        security === undefined ||
        (security.length > 0 && security.every((scheme) => Object.keys(scheme).length > 0)),
    })),
  )
  protectedRoutes = routes.filter(({ isProtected }) => isProtected)
  publicRoutes = routes.filter(({ isProtected }) => !isProtected)

  const good = await tokenOf('alice')
  const claims = decodeJwt(good)
  const issuer = fromStack('SLIPWAY_ISSUER')
  const keys = (await (await fetch(`${issuer}/jwks`)).json()) as { keys: { kid: string }[] }
  const [key] = keys.keys
  const signed = `${base64({ alg: 'HS256', typ: 'at+jwt', kid: key?.kid })}.${base64(claims)}`
  const mac = createHmac('sha256', JSON.stringify(key)).update(signed).digest('base64url')
  badTokens = {
    garbage: 'garbage',
    'cut off': good.slice(0, -5),
    'without signature': `${base64({ alg: 'none', typ: 'at+jwt' })}.${base64(claims)}.`,
    'signed with the public key as a shared secret': `${signed}.${mac}`,
    'of another issuer': await forge(
      { ...claims, iss: 'https://issuer.example.test' },
      { alg: 'RS256', typ: 'at+jwt' },
    ),
    'signed by another key': await forge(claims, {
      alg: 'RS256',
      typ: 'at+jwt',
      kid: String(key?.kid),
    }),
    expired: await expiredToken(),
  }
}, 120_000)

describe('every protected route', () => {
  test('returns 401 with a challenge and nothing else without a valid token', async () => {
    expect(protectedRoutes.length).toBeGreaterThanOrEqual(10)
    for (const { method, path } of protectedRoutes) {
      const none = await request(method, path)
      expect([
        method,
        path,
        none.status,
        none.headers.get('www-authenticate')?.replace(/"http.*"/, '"URL"'),
        none.body.error,
      ]).toEqual([method, path, 401, 'Bearer resource_metadata="URL"', 'unauthorized'])
      for (const [what, token] of Object.entries(badTokens)) {
        const { status, headers, body } = await request(method, path, {
          headers: { authorization: `Bearer ${token}` },
        })
        expect([what, method, path, status]).toEqual([what, method, path, 401])
        expect(headers.get('www-authenticate')).toContain('error="invalid_token"')
        expect(body).toMatchObject({
          status: 401,
          error: 'unauthorized',
          request_id: expect.any(String),
        })
      }
      expect(
        (await request(method, path, { headers: { authorization: 'Basic YWxpY2U6eA==' } })).status,
      ).toBe(401)
      expect((await request(method, `${path}?access_token=${await tokenOf('alice')}`)).status).toBe(
        401,
      )
    }
  })

  test('rejects tokens of services', async () => {
    const token = await serviceToken()
    const { status } = await request('GET', '/me', {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(status).toBe(401)
  })
})

test('public routes respond without a token and with an invalid one', async () => {
  expect(publicRoutes.map(({ path }) => path).sort()).toContain('/agents')
  for (const { method, path } of publicRoutes) {
    for (const headers of [{}, { authorization: `Bearer ${badTokens['expired']}` }]) {
      expect((await request(method, path, { headers })).status).not.toBe(401)
    }
  }
})

test('a gateway can accept the tokens of some clients only', async () => {
  const headers = { authorization: `Bearer ${await tokenOf('alice')}` }
  const statusWith = async (clients: readonly string[]) => {
    await using gateway = await startLoneGateway({}, clients)
    return (await fetch(`${gateway.url}/api/v1/me`, { headers })).status
  }
  // Behind these gateways, no service can be reached.
  expect(await statusWith(['slipway-dashboard', 'slipway-cli'])).toBe(503)
  expect(await statusWith(['slipway-dashboard'])).toBe(401)
})

test('a gateway without an issuer refuses to start', async () => {
  const main = resolve(import.meta.dirname, '../../services/gateway/src/main.ts')
  const addresses = {
    CATALOG_ADDRESS: '127.0.0.1:1',
    DEPLOYER_ADDRESS: '127.0.0.1:1',
    OBSERVABILITY_ADDRESS: '127.0.0.1:1',
  }
  const settings: readonly Record<string, string>[] = [
    {},
    { AUTH_ISSUERS: '[]' },
    { AUTH_ISSUERS: '[{"issuer":"https://a.example","algorithms":["HS256"]}]' },
  ]
  const ends = settings.map(async (issuers) => {
    const child = spawn(process.execPath, [main], {
      env: { ...childEnvironment(), ...addresses, ...issuers },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const [[code], errors] = await Promise.all([once(child, 'exit'), text(child.stderr)])
    return [code, errors]
  })
  const refused = [2, expect.stringContaining('AUTH_ISSUERS')]
  expect(await Promise.all(ends)).toEqual(settings.map(() => refused))
})

/** The gateway's own token, from its client credentials. */
async function serviceToken(): Promise<string> {
  const secret = await readFile(
    join(fromStack('SLIPWAY_STATE_DIR'), 'secrets/client-gateway'),
    'utf8',
  )
  const response = await fetch(`${fromStack('SLIPWAY_ISSUER')}/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`gateway:${secret}`).toString('base64')}`,
    },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      resource: 'urn:slipway:internal',
    }),
  })
  const { access_token: token } = (await response.json()) as { access_token: string }
  expect(response.status).toBe(200)
  return token
}
