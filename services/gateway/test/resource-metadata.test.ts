import { expect, test } from 'vitest'

import { startLoneGateway, type LoneGateway } from './support/lone-gateway.ts'

const ROOT = '/.well-known/oauth-protected-resource'
const OF_API = `${ROOT}/api/v1`

const PEOPLE = {
  issuer: 'https://login.example.com',
  audience: 'slipway',
  login: { client_id: 'slipway-cli' },
}
const DEX = {
  issuer: 'https://dex.example.com',
  audience: 'slipway-cli',
  id_tokens: true,
  login: { client_id: 'slipway-cli', scopes: ['openid'], audience: 'slipway' },
}
const WITHOUT_LOGIN = { issuer: 'https://other.example.com', audience: 'slipway' }
const SERVICES = {
  issuer: 'https://internal.example.com',
  kind: 'service',
  audience: 'internal',
  services: { a: 'deployer' },
}

async function startWith(
  issuers: readonly object[],
  env: Readonly<Record<string, string>> = {},
): Promise<LoneGateway> {
  return await startLoneGateway({ AUTH_ISSUERS: JSON.stringify(issuers), ...env })
}

/** The URL of the metadata in a challenge. */
function metadataUrl(challenge: string | null): string | undefined {
  return /resource_metadata="([^"]*)"/.exec(challenge ?? '')?.[1]
}

test('describes where people get a token, and with which client', async () => {
  await using gateway = await startWith([PEOPLE, DEX, WITHOUT_LOGIN, SERVICES, PEOPLE])
  const { status, headers, body } = await gateway.send('GET', OF_API)
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  const login = {
    issuer: PEOPLE.issuer,
    client_id: 'slipway-cli',
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    send: 'access_token',
  }
  expect(body).toEqual({
    resource: `${gateway.url}/api/v1`,
    authorization_servers: [PEOPLE.issuer, DEX.issuer, WITHOUT_LOGIN.issuer],
    scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
    bearer_methods_supported: ['header'],
    resource_name: 'Slipway',
    slipway_login: [
      login,
      {
        issuer: DEX.issuer,
        client_id: 'slipway-cli',
        scopes: ['openid'],
        audience: 'slipway',
        send: 'id_token',
      },
      login,
    ],
    resource_documentation: `${gateway.url}/docs`,
  })
  const root = await gateway.send('GET', ROOT)
  expect(root.body).toEqual({ ...body, resource: gateway.url })
})

test('leaves out the scopes if no issuer has a login', async () => {
  await using gateway = await startWith([WITHOUT_LOGIN])
  const { body } = await gateway.send('GET', ROOT)
  expect(body).not.toHaveProperty('scopes_supported')
  expect(body.slipway_login).toEqual([])
})

test('is where every 401 points to, whose resource is the API', async () => {
  await using gateway = await startWith([PEOPLE])
  for (const [sent, start] of [
    [{}, 'Bearer resource_metadata='],
    [{ token: 'x' }, 'Bearer error="invalid_token", resource_metadata='],
  ] as const) {
    const { status, headers } = await gateway.send('GET', '/api/v1/me', sent)
    const challenge = headers.get('www-authenticate')
    expect([status, challenge]).toEqual([401, expect.stringContaining(start)])
    const url = metadataUrl(challenge) ?? ''
    expect(url).toBe(`${gateway.url}${OF_API}`)
    const { body } = await gateway.send('GET', new URL(url).pathname)
    expect(`${gateway.url}/api/v1/me`.startsWith(`${body.resource}/`)).toBe(true)
  }
})

test('ignores tokens, and refuses other methods', async () => {
  await using gateway = await startWith([PEOPLE])
  expect((await gateway.send('GET', ROOT, { token: 'x' })).status).toBe(200)
  const { status, headers } = await gateway.send('POST', ROOT)
  expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  expect((await gateway.send('GET', `${ROOT}/api/v2`)).status).toBe(404)
})

test('lets pages of other origins read it if they may call the API', async () => {
  const origin = 'https://dashboard.example'
  await using gateway = await startWith([PEOPLE], { CORS_ORIGINS: origin })
  const { headers } = await gateway.send('GET', ROOT, { headers: { origin } })
  expect(headers.get('access-control-allow-origin')).toBe(origin)
})

const FORWARDED = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'slipway.example.com' }

test.each([
  ['that a trusted proxy forwards', { TRUSTED_PROXIES: '127.0.0.1' }, FORWARDED],
  ['that is configured', { PUBLIC_URL: 'https://slipway.example.com' }, { host: 'evil.example' }],
  [
    'that is configured in another spelling',
    { PUBLIC_URL: 'https://Slipway.example.com:443/' },
    { host: 'evil.example' },
  ],
  [
    'that is configured, whatever a proxy forwards',
    { PUBLIC_URL: 'https://slipway.example.com', TRUSTED_PROXIES: '127.0.0.1' },
    { ...FORWARDED, 'x-forwarded-host': 'evil.example' },
  ],
])('has the origin %s', async (_what, env, headers) => {
  await using gateway = await startWith([PEOPLE], env)
  const metadata = await gateway.sendRaw('GET', ROOT, { headers })
  expect(metadata.body.resource).toBe('https://slipway.example.com')
  const me = await gateway.sendRaw('GET', '/api/v1/me', { headers })
  expect(metadataUrl(me.headers.get('www-authenticate'))).toBe(
    `https://slipway.example.com${OF_API}`,
  )
})

test('ignores what others than trusted proxies forward', async () => {
  await using gateway = await startWith([PEOPLE])
  const { body } = await gateway.sendRaw('GET', ROOT, { headers: FORWARDED })
  expect(body.resource).toBe(gateway.url)
})

test.each(['a"b', 'a b', 'a@b', 'a/b', 'a, b', 'a:99999'])(
  'repeats no host that is not valid: %s',
  async (host) => {
    await using gateway = await startWith([PEOPLE])
    const { status, body } = await gateway.sendRaw('GET', ROOT, { headers: { host } })
    expect([status, body.code]).toEqual([400, 'invalid_argument'])
    const me = await gateway.sendRaw('GET', '/api/v1/me', { headers: { host } })
    expect([me.status, me.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  },
)

test('refuses to start with a public URL that has a path', async () => {
  const starting = startWith([PEOPLE], { PUBLIC_URL: 'https://slipway.example.com/api' })
  await expect(starting).rejects.toThrow('PUBLIC_URL: https://slipway.example.com/api is not an')
})

test('says that a provider takes the parameter resource', async () => {
  const login = { client_id: 'slipway-cli', resource: true }
  const entry = { issuer: 'https://login.example.com', audience: 'https://slipway/api/v1', login }
  await using gateway = await startWith([entry])
  const { body } = await gateway.send('GET', OF_API)
  expect(body.slipway_login).toMatchObject([{ client_id: 'slipway-cli', takes_resource: true }])
})
