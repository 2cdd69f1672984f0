import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { JWK } from 'jose'

/** The keys of the provider: private keys that sign tokens, and secrets that sign cookies. */
export interface ProviderKeys {
  readonly jwks: { readonly keys: readonly JWK[] }
  readonly cookieKeys: readonly string[]
}

/** Reads the provider's keys; creates them on first use. Tokens stay valid after a restart. */
export function loadKeys(file: string): ProviderKeys {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(`${file}.new`, JSON.stringify(generateKeys()), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
  return JSON.parse(readFileSync(file, 'utf8')) as ProviderKeys
}

function generateKeys(): ProviderKeys {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
    format: 'jwk',
  })
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    format: 'jwk',
  })
  return {
    jwks: {
      keys: [
        { ...elliptic, kty: 'EC', use: 'sig', alg: 'ES256', kid: randomUUID() },
        // OpenID Connect requires RS256 for ID tokens.
        { ...rsa, kty: 'RSA', use: 'sig', alg: 'RS256', kid: randomUUID() },
      ],
    },
    cookieKeys: [randomBytes(32).toString('base64url')],
  }
}
