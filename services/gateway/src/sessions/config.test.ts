import { expect, test } from 'vitest'

import { readConfig } from '../config.ts'

const issuer = { issuer: 'https://login.example', audience: 'slipway' }
const base = {
  CATALOG_ADDRESS: 'catalog:1',
  DEPLOYER_ADDRESS: 'deployer:1',
  OBSERVABILITY_ADDRESS: 'observability:1',
  IDEMPOTENCY_KEY_SECRET: 'ab'.repeat(32),
  SERVICE_TOKEN_FILE: '/token',
  SESSION_KEY: 'cd'.repeat(32),
  SIGN_IN_CLIENT_ID: 'console',
}

const read = (env: Record<string, string>, issuers: readonly object[] = [issuer]) =>
  readConfig({ ...base, AUTH_ISSUERS: JSON.stringify(issuers), ...env }).signIn

test('a client and a key are enough with one issuer', () => {
  expect(read({})).toMatchObject({
    issuer: { issuer: 'https://login.example' },
    clientId: 'console',
    clientSecret: undefined,
    scopes: ['openid', 'profile', 'email', 'offline_access'],
  })
})

test('without a client there is no sign-in, and nothing else is needed', () => {
  expect(read({ SIGN_IN_CLIENT_ID: '', SESSION_KEY: '', SERVICE_TOKEN_FILE: '' })).toBeUndefined()
})

test('the former key comes after the one in use', () => {
  const keys = read({ SESSION_KEY_FORMER: 'ef'.repeat(32) })?.keys
  expect(keys?.map((key) => key.toString('hex').slice(0, 2))).toEqual(['cd', 'ef'])
})

test('one of several issuers can be chosen', () => {
  const other = { issuer: 'https://other.example', audience: 'slipway' }
  expect(read({ SIGN_IN_ISSUER: other.issuer }, [issuer, other])?.issuer.issuer).toBe(other.issuer)
  expect(() => read({}, [issuer, other])).toThrow('SIGN_IN_ISSUER: is required')
})

test.each([
  [{ SESSION_KEY: '' }, 'SESSION_KEY: is required'],
  [{ SESSION_KEY: 'ab' }, 'SESSION_KEY: must be at least 32 bytes'],
  [{ SESSION_KEY_FORMER: 'short' }, 'SESSION_KEY_FORMER: must be'],
  [{ SERVICE_TOKEN_FILE: '' }, 'SERVICE_TOKEN_URL: is required'],
  [{ SIGN_IN_SCOPES: 'email' }, 'SIGN_IN_SCOPES: must have openid'],
  [{ SIGN_IN_ISSUER: 'https://x.example' }, 'SIGN_IN_ISSUER: AUTH_ISSUERS has no issuer'],
  [{ SIGN_IN_CLIENT_AUTHENTICATION: 'jwt' }, 'SIGN_IN_CLIENT_AUTHENTICATION: must be one of'],
])('reports %o', (env, problem) => {
  expect(() => read(env)).toThrow(problem)
})

test('a client whose tokens the issuer’s entry rejects is reported', () => {
  const closed = { ...issuer, clients: ['slipway-cli'] }
  expect(() => read({}, [closed])).toThrow('SIGN_IN_CLIENT_ID: must be one of "clients"')
})
