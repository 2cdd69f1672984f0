import type { ConfigReader } from '../config/config.ts'
import { MACHINE_TOKEN_REALM } from './caller.ts'
import { podApiServer, type ApiServer } from './api-server.ts'
import { parseLoginClient, type LoginClient } from './login-client.ts'

/** The signature algorithms that an issuer can be configured to use, all asymmetric. */
export const ASYMMETRIC_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const

const DEFAULT_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA']
/** Those that an API server can use. */
const CLUSTER_ALGORITHMS = ['RS256', 'ES256', 'ES384', 'ES512']

/** A trusted source of access tokens. */
export interface Issuer {
  /** The `iss` claim, exactly. */
  readonly issuer: string
  /** The `aud` claim that tokens must have; undefined accepts any audience. */
  readonly audience: string | undefined
  /** The URL of the keys; undefined reads it from the issuer's discovery document. */
  readonly jwksUri: string | undefined
  /** The signature algorithms that are accepted. */
  readonly algorithms: readonly string[]
  /** Whether the tokens identify users or services. */
  readonly kind: 'user' | 'service'
  /** Issuers of the same realm identify a user by the same subject. */
  readonly realm: string
  /** Whether keys may be read from another host over plain HTTP; default false. */
  readonly allowsHttp?: boolean
  /** Whether ID tokens for the audience are accepted like access tokens; default false. */
  readonly acceptsIdTokens?: boolean
  /**
   * Whether tokens that nothing marks as access tokens are accepted. Undefined accepts them with a
   * warning, unless their audience is a client.
   */
  readonly acceptsUnmarkedTokens?: boolean | undefined
  /** Whether its userinfo endpoint is asked for what tokens lack of a profile; default false. */
  readonly readsUserInfo?: boolean
  /** Whether the operator has chosen to have no audience; default false. */
  readonly acceptsAnyAudience?: boolean
  /** The ids of the clients whose tokens are accepted; undefined accepts those of any client. */
  readonly clients?: readonly string[] | undefined
  /** The client with which a command line signs people in; undefined if there is none. */
  readonly login?: LoginClient | undefined
  /** For services: the service's name for each subject. */
  readonly services: ReadonlyMap<string, string>
  /** Reads the key set in another way than by an anonymous request. */
  readonly readKeys?: () => Promise<object>
}

/** The issuer of ServiceAccount tokens, whose URL and keys the API server names. */
export interface ClusterIssuer extends Omit<Issuer, 'issuer' | 'realm' | 'jwksUri' | 'readKeys'> {
  readonly apiServer: ApiServer
}

export type IssuerSetting = Issuer | ClusterIssuer

/** Reads AUTH_ISSUERS. */
export function readIssuers(reader: ConfigReader): readonly IssuerSetting[] {
  const host = reader.optional('KUBERNETES_SERVICE_HOST')
  const port = reader.optional('KUBERNETES_SERVICE_PORT')
  const apiServer = host === undefined || port === undefined ? undefined : podApiServer(host, port)
  return reader.json('AUTH_ISSUERS', (value) => parseIssuers(value, apiServer)) ?? []
}

/**
 * Parses the list of trusted issuers: a non-empty JSON array of `{issuer, audience?, jwks_uri?,
 * clients?, algorithms?, any_audience?, id_tokens?, unmarked_tokens?, userinfo?, allow_http?,
 * login?, kind?, realm?, services?}`, or for ServiceAccounts `{kind: "service", kubernetes: true,
 * audience, services, algorithms?}`. Throws an Error that names the invalid entry and member.
 */
export function parseIssuers(value: unknown, apiServer?: ApiServer): readonly IssuerSetting[] {
  if (!Array.isArray(value) || value.length === 0)
    throw new Error('must be a JSON array with at least one issuer')
  return value.map((entry: unknown, index) => parseIssuer(entry, `[${index}]`, apiServer))
}

function parseIssuer(
  value: unknown,
  path: string,
  apiServer: ApiServer | undefined,
): IssuerSetting {
  if (typeof value !== 'object' || value === null) throw new Error(`${path} must be an object`)
  const entry = value as Record<string, unknown>
  const kind = entry['kind'] ?? 'user'
  if (kind !== 'user' && kind !== 'service') throw new Error(`${path}.kind must be user or service`)
  const isCluster = isOfCluster(entry, path)
  const algorithms = entry['algorithms'] ?? (isCluster ? CLUSTER_ALGORITHMS : DEFAULT_ALGORITHMS)
  if (!Array.isArray(algorithms) || algorithms.length === 0)
    throw new Error(`${path}.algorithms must be a list`)
  for (const algorithm of algorithms) {
    if (!ASYMMETRIC_ALGORITHMS.some((known) => known === algorithm)) {
      throw new Error(`${path}.algorithms: ${String(algorithm)} is not an asymmetric algorithm`)
    }
  }
  const services = stringMap(entry['services'] ?? {}, `${path}.services`)
  if (kind === 'service' && services.size === 0)
    throw new Error(`${path}.services must name at least one service`)
  const audience = optionalText(entry['audience'], `${path}.audience`)
  if (kind === 'service' && audience === undefined)
    throw new Error(`${path}.audience is required for services`)
  const acceptsIdTokens = flag(entry['id_tokens'], `${path}.id_tokens`)
  if (acceptsIdTokens && audience === undefined)
    throw new Error(`${path}.id_tokens needs an audience: ID tokens for all clients would count`)
  const acceptsAnyAudience = flag(entry['any_audience'], `${path}.any_audience`)
  if (acceptsAnyAudience && audience !== undefined)
    throw new Error(`${path}.any_audience must not be set with an audience: remove one of them`)
  const acceptsUnmarkedTokens =
    entry['unmarked_tokens'] === undefined
      ? undefined
      : flag(entry['unmarked_tokens'], `${path}.unmarked_tokens`)
  const common = { kind, services, audience, algorithms: algorithms as readonly string[] } as const
  if (isCluster) {
    if (apiServer === undefined)
      throw new Error(`${path}.kubernetes needs KUBERNETES_SERVICE_HOST and _PORT, as pods have`)
    return Object.freeze({ ...common, apiServer })
  }
  const issuer = httpUrl(entry['issuer'], `${path}.issuer`)
  const jwksUri =
    entry['jwks_uri'] === undefined ? undefined : httpUrl(entry['jwks_uri'], `${path}.jwks_uri`)
  const allowsHttp = flag(entry['allow_http'], `${path}.allow_http`)
  if (!allowsHttp) requireSecureKeys(path, issuer, jwksUri)
  if (kind === 'service' && entry['login'] !== undefined)
    throw new Error(`${path}.login is for issuers of people's tokens`)
  const readsUserInfo = flag(entry['userinfo'], `${path}.userinfo`)
  if (readsUserInfo && kind === 'service')
    throw new Error(`${path}.userinfo is for issuers of people's tokens`)
  if (readsUserInfo && acceptsIdTokens)
    throw new Error(`${path}.userinfo must not be set with id_tokens: it needs access tokens`)
  const clients = clientIds(entry['clients'], `${path}.clients`)
  const realm = optionalText(entry['realm'], `${path}.realm`) ?? issuer
  if (realm === MACHINE_TOKEN_REALM) throw new Error(`${path}.realm is that of machine tokens`)
  return Object.freeze({
    ...common,
    issuer,
    clients,
    login: parseLoginClient(entry['login'], `${path}.login`, clients),
    acceptsIdTokens,
    acceptsAnyAudience,
    acceptsUnmarkedTokens,
    readsUserInfo,
    allowsHttp,
    jwksUri,
    realm,
  })
}

function isOfCluster(entry: Record<string, unknown>, path: string): boolean {
  if (!flag(entry['kubernetes'], `${path}.kubernetes`)) return false
  if (entry['kind'] !== 'service') throw new Error(`${path}.kind must be service with kubernetes`)
  const others = [
    'issuer',
    'jwks_uri',
    'realm',
    'clients',
    'id_tokens',
    'allow_http',
    'login',
    'any_audience',
    'unmarked_tokens',
    'userinfo',
  ]
  for (const member of others) {
    if (entry[member] !== undefined)
      throw new Error(`${path}.${member} must not be set with kubernetes: the API server has it`)
  }
  return true
}

function httpUrl(value: unknown, path: string): string {
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Error(`${path} must be an http(s) URL`)
  return value as string
}

/** Over plain HTTP, anyone on the way could replace the keys, and sign tokens of any user. */
function requireSecureKeys(path: string, issuer: string, jwksUri: string | undefined): void {
  const [member, url] = jwksUri === undefined ? ['issuer', issuer] : ['jwks_uri', jwksUri]
  if (isSecure(url)) return
  throw new Error(
    `${path}.${member} must be an https URL, because keys are read from it; set allow_http to ` +
      'true only if no one can change what this network transmits',
  )
}

/** Whether no one else can change what is read from a URL: by TLS, or because it is this host. */
export function isSecure(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

function clientIds(value: unknown, path: string): readonly string[] | undefined {
  if (value === undefined) return undefined
  const isList = Array.isArray(value) && value.length > 0
  if (!isList || !value.every((id) => typeof id === 'string' && id !== ''))
    throw new Error(`${path} must be a list of at least one client id`)
  return value as readonly string[]
}

function flag(value: unknown, path: string): boolean {
  if (value !== undefined && typeof value !== 'boolean')
    throw new Error(`${path} must be true or false`)
  return value ?? false
}

function optionalText(value: unknown, path: string): string | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value === '')
    throw new Error(`${path} must be a non-empty string`)
  return value
}

function stringMap(value: unknown, path: string): ReadonlyMap<string, string> {
  if (typeof value !== 'object' || value === null) throw new Error(`${path} must be an object`)
  const entries = Object.entries(value).map(([key, name]) => {
    if (typeof name !== 'string' || name === '')
      throw new Error(`${path}.${key} must be a non-empty string`)
    return [key, name] as const
  })
  return new Map(entries)
}
