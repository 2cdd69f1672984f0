import { createServer, type Server } from 'node:http'
import { once } from 'node:events'

import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose'

import { parseIssuers, type Issuer } from '@slipway/shared/auth'
import { freePorts } from './free-ports.ts'

const USER_AUDIENCE = 'urn:slipway:api'
const SERVICE_AUDIENCE = 'urn:slipway:internal'

/** Differences between a token and the default token. */
export interface TestTokenOptions {
  /** Additional or replaced claims; undefined removes one. */
  readonly claims?: JWTPayload
  /** Signs with a key that the issuer doesn't publish. */
  readonly foreignKey?: boolean
  /** Additional or replaced header members; `crit` can name `extension`. */
  readonly header?: Readonly<Record<string, unknown>>
}

/**
 * An issuer of access tokens that serves its keys and discovery document on the loopback address.
 */
export interface TestIssuer extends AsyncDisposable {
  /** The `iss` claim, and the base URL of the discovery document. */
  readonly url: string
  /** The value of AUTH_ISSUERS for services. */
  readonly issuersJson: string
  /** The same, parsed. */
  readonly issuers: readonly Issuer[]
  /** Signs an access token for a user. */
  userToken(subject: string, options?: TestTokenOptions): Promise<string>
  /** Signs an access token for a service. */
  serviceToken(name: string, options?: TestTokenOptions): Promise<string>
  /** Replaces the key: tokens are signed with a new key, and only that key is published. */
  rotateKey(): Promise<void>
  /** Stops the server until `start`. */
  stop(): Promise<void>
  /** Starts the server again, on the same port. */
  start(): Promise<void>
}

/** The services of the issuer's configuration. Their tokens have the subject `service-<name>`. */
const SERVICES = ['catalog', 'deployer', 'observability', 'gateway']

/** Starts an issuer of real, signed tokens. Its users are in the realm `test`. */
export async function testIssuer(): Promise<TestIssuer> {
  let key = await newKey(1)
  let server: Server | undefined
  const [port = 0] = await freePorts(1)

  async function start(): Promise<void> {
    server = createServer((request, response) => {
      const document =
        request.url === '/jwks'
          ? { keys: [key.jwk] }
          : { issuer: url(), jwks_uri: `${url()}/jwks`, authorization_endpoint: `${url()}/auth` }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(document))
    }).listen(port, '127.0.0.1')
    await once(server, 'listening')
  }

  async function stop(): Promise<void> {
    if (server === undefined) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    server = undefined
    await closed
  }

  const url = () => `http://127.0.0.1:${port}`

  async function sign(
    subject: string,
    audience: string,
    claims: JWTPayload,
    options: TestTokenOptions,
  ): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const signingKey = options.foreignKey ? (await newKey(0)).privateKey : key.privateKey
    const payload = {
      iss: url(),
      sub: subject,
      aud: audience,
      iat: now,
      exp: now + 3600,
      ...claims,
      ...options.claims,
    }
    return await new SignJWT(payload)
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key.kid, ...options.header })
      .sign(signingKey, { crit: { extension: true } })
  }

  await start()
  const list = [
    { issuer: url(), audience: USER_AUDIENCE, realm: 'test', kind: 'user' },
    {
      issuer: url(),
      audience: SERVICE_AUDIENCE,
      kind: 'service',
      services: Object.fromEntries(SERVICES.map((name) => [`service-${name}`, name])),
    },
  ]
  return {
    url: url(),
    issuersJson: JSON.stringify(list),
    issuers: parseIssuers(list).filter((each) => 'issuer' in each),
    userToken: (subject, options = {}) =>
      sign(subject, USER_AUDIENCE, { preferred_username: subject }, options),
    serviceToken: (name, options = {}) => sign(`service-${name}`, SERVICE_AUDIENCE, {}, options),
    async rotateKey() {
      key = await newKey(Number(key.kid) + 1)
    },
    start,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

interface SigningKey {
  readonly kid: string
  readonly privateKey: CryptoKey
  readonly jwk: object
}

async function newKey(number: number): Promise<SigningKey> {
  const kid = String(number)
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  return {
    kid,
    privateKey,
    jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' },
  }
}
