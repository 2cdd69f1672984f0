import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import { testIssuer, type TestIssuer } from '@slipway/testing'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { createTokenVerifier, type TokenVerifier } from '../src/auth/index.ts'

// The sender of a token writes its header, which must not decide how the token is verified.

let issuer: TestIssuer
let verifier: TokenVerifier
beforeAll(async () => {
  issuer = await testIssuer()
  verifier = createTokenVerifier(issuer.issuers)
})
afterAll(async () => {
  await issuer[Symbol.asyncDispose]()
})

function claims() {
  const now = Math.floor(Date.now() / 1000)
  return { iss: issuer.url, sub: 'alice', aud: 'urn:slipway:api', iat: now, exp: now + 600 }
}

const rejection = { reason: 'invalid_token' }

test('a key in the header of a token is neither used nor fetched', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), alg: 'ES256', kid: '1' }
  let fetches = 0
  const keys = createServer((_request, response) => {
    fetches += 1
    response.end(JSON.stringify({ keys: [jwk] }))
  }).listen(0, '127.0.0.1')
  await once(keys, 'listening')
  const url = `http://127.0.0.1:${(keys.address() as AddressInfo).port}/`
  for (const kid of [{ kid: '1' }, { kid: 'unknown' }, {}]) {
    for (const key of [{ jwk }, { jku: url }, { x5u: url }, { x5c: ['AAAA'] }]) {
      const header = { alg: 'ES256', typ: 'at+jwt', ...kid, ...key }
      const token = await new SignJWT(claims()).setProtectedHeader(header).sign(privateKey)
      await expect(verifier.verify(token)).rejects.toMatchObject(rejection)
    }
  }
  expect(fetches).toBe(0)
  keys.close()
})

test('a token without signature, or with the public key as its secret, is rejected', async () => {
  const { keys } = (await (await fetch(`${issuer.url}/jwks`)).json()) as { keys: object[] }
  const secret = new TextEncoder().encode(JSON.stringify(keys[0]))
  const header = { alg: 'HS256', typ: 'at+jwt', kid: '1' }
  const signed = await new SignJWT(claims()).setProtectedHeader(header).sign(secret)
  for (const token of [signed, new UnsecuredJWT(claims()).encode()])
    await expect(verifier.verify(token)).rejects.toMatchObject(rejection)
})

test('a token with an extension that must be understood is rejected', async () => {
  const header = { crit: ['extension'], extension: true }
  const token = await issuer.userToken('alice', { header })
  await expect(verifier.verify(token)).rejects.toMatchObject(rejection)
})
