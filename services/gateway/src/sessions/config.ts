import {
  readServiceTokenConfig,
  type Issuer,
  type IssuerSetting,
  type ServiceTokenConfig,
} from '@slipway/shared/auth'
import type { ConfigReader } from '@slipway/shared/config'

/** With `offline_access`, most issuers return a refresh token. */
const SCOPES = ['openid', 'profile', 'email', 'offline_access']
const KEY_BYTES = 32

/** How people sign in with a browser. */
export interface SignInConfig {
  readonly issuer: Issuer
  readonly clientId: string
  /** Undefined for a public client. */
  readonly clientSecret: string | undefined
  /** How the secret is sent. */
  readonly authentication: 'basic' | 'post'
  readonly scopes: readonly string[]
  /** The `audience` parameter of the request; undefined: the issuer needs none. */
  readonly audience: string | undefined
  /** The keys of cookies and sessions: the one in use, then the former one if there is one. */
  readonly keys: readonly Buffer[]
  /** The gateway's own token, with which it calls the catalog for sessions. */
  readonly serviceToken: ServiceTokenConfig
}

/** Reads how people sign in with a browser; undefined if they can't. */
export function readSignIn(
  reader: ConfigReader,
  issuers: readonly IssuerSetting[],
): SignInConfig | undefined {
  const clientId = reader.optional('SIGN_IN_CLIENT_ID')
  if (clientId === undefined) return undefined
  const wanted = reader.optional('SIGN_IN_ISSUER')
  const scopes = reader.list('SIGN_IN_SCOPES', SCOPES)
  if (!scopes.includes('openid')) reader.report('SIGN_IN_SCOPES: must have openid')
  const candidates = issuers.filter(
    (each): each is Issuer =>
      each.kind === 'user' && 'issuer' in each && (wanted ?? each.issuer) === each.issuer,
  )
  const [issuer] = candidates
  if (wanted === undefined && new Set(candidates.map((each) => each.issuer)).size > 1)
    reader.report('SIGN_IN_ISSUER: is required, because AUTH_ISSUERS has several issuers of users')
  if (issuer === undefined)
    reader.report(`SIGN_IN_ISSUER: AUTH_ISSUERS has no issuer of users ${wanted ?? ''}`.trimEnd())
  else if (candidates.every(({ clients }) => clients !== undefined && !clients.includes(clientId)))
    reader.report('SIGN_IN_CLIENT_ID: must be one of "clients" of the issuer in AUTH_ISSUERS')
  const former = reader.optional('SESSION_KEY_FORMER')
  const config = {
    clientId,
    clientSecret: reader.optional('SIGN_IN_CLIENT_SECRET'),
    authentication: reader.oneOf('SIGN_IN_CLIENT_AUTHENTICATION', ['basic', 'post'], 'basic'),
    scopes,
    audience: reader.optional('SIGN_IN_AUDIENCE'),
    keys: [
      reader.hexSecret('SESSION_KEY', KEY_BYTES),
      ...(former === undefined ? [] : [reader.hexSecret('SESSION_KEY_FORMER', KEY_BYTES)]),
    ],
    serviceToken: readServiceTokenConfig(reader),
  }
  return issuer && Object.freeze({ ...config, issuer })
}
