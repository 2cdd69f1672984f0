import proxyAddress from '@fastify/proxy-addr'
import { readIssuers, type IssuerSetting } from '@slipway/shared/auth'
import { parseConfig, type ConfigReader, type Environment } from '@slipway/shared/config'
import { readNatsServers, type NatsServers } from '@slipway/shared/events/broadcast'
import { LOG_LEVELS } from '@slipway/shared/logger'
import { readTrustedCa, type TrustedCaFile } from '@slipway/shared/tls'

import type { BackendAddresses } from './backend/clients.ts'
import type { PendingLimits } from './http/limits/pending.ts'
import type { BucketSettings } from './http/limits/token-buckets.ts'
import type { ServerLimits, ServerOptions } from './http/server/http-server.ts'
import { readSignIn, type SignInConfig } from './sessions/config.ts'
import type { AgentHosts } from './sessions/shared-site.ts'

const KIB = 1024
const MIB = 1024 * KIB

export interface GatewayConfig extends BackendAddresses, ServerOptions {
  readonly logLevel: (typeof LOG_LEVELS)[number]
  /** host:port of the REST API. */
  readonly httpAddress: string
  /** host:port of the health routes for the platform. */
  readonly opsAddress: string
  readonly issuers: readonly IssuerSetting[]
  /** How people sign in with a browser; undefined if they can't. */
  readonly signIn: SignInConfig | undefined
  /** The origin at which clients reach the REST API; undefined: that of each request. */
  readonly publicUrl: string | undefined
  readonly agentHosts: AgentHosts
  /** The authorities to trust when services are called by TLS; undefined: plaintext. */
  readonly rpcCa: TrustedCaFile | undefined
  readonly nats: NatsServers
  /** Whether browsers get the console. */
  readonly hasConsole: boolean
  /** The folder with the console; undefined: where its build puts it. */
  readonly consoleFolder: string | undefined
  /** Origins whose pages may call the API. */
  readonly corsOrigins: readonly string[]
  /** Key of the HMACs that represent idempotency keys; the same in all replicas. */
  readonly idempotencyKeySecret: Buffer
  readonly limits: GatewayLimits
  readonly pending: PendingLimits
  readonly rateLimits: {
    readonly address: BucketSettings
    readonly user: BucketSettings
    /** The limit of a user's requests that change something. */
    readonly changes: BucketSettings
    /** The limit of sign-ins of a client address that the identity provider refuses. */
    readonly failedSignIns: BucketSettings
  }
}

/** Limits of the server and of its memory. */
export interface GatewayLimits extends ServerLimits {
  /** Memory for cached responses to public reads. */
  readonly publicAnswerBytes: number
}

/**
 * Reads the configuration; see docs/reference/env.md. Throws a ConfigError that lists all problems.
 */
export function readConfig(env: Environment): GatewayConfig {
  return parseConfig(env, (reader) => ({
    logLevel: reader.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    httpAddress: reader.address('HTTP_ADDRESS', '127.0.0.1:8080'),
    opsAddress: reader.address('OPS_ADDRESS', '127.0.0.1:9114'),
    catalogAddresses: reader.list('CATALOG_ADDRESS'),
    deployerAddresses: reader.list('DEPLOYER_ADDRESS'),
    observabilityAddresses: reader.list('OBSERVABILITY_ADDRESS'),
    ...readIssuersAndSignIn(reader),
    publicUrl: readPublicUrl(reader),
    agentHosts: {
      domain: reader.optional('INGRESS_DOMAIN'),
      mayShareSite: reader.oneOf('INGRESS_SHARES_SITE', ['on', 'off'], 'off') === 'on',
    },
    trustedProxies: readProxies(reader),
    rpcCa: readTrustedCa(reader, 'RPC_TLS_CA_FILE'),
    nats: readNatsServers(reader),
    hasConsole: reader.oneOf('CONSOLE', ['on', 'off'], 'on') === 'on',
    consoleFolder: reader.optional('CONSOLE_FOLDER'),
    corsOrigins: readOrigins(reader),
    idempotencyKeySecret: reader.hexSecret('IDEMPOTENCY_KEY_SECRET', 32),
    limits: Object.freeze({
      bodyBytes: reader.integer('BODY_LIMIT_BYTES', 1024 * KIB, {
        min: 1024,
        max: 16 * MIB,
      }),
      publicAnswerBytes: reader.integer('PUBLIC_ANSWER_BYTES', 64 * 1024 * KIB, {
        min: 1024 * KIB,
      }),
      headersTimeoutMs: reader.integer('HEADERS_TIMEOUT_MS', 10_000, { min: 100 }),
      requestTimeoutMs: reader.integer('REQUEST_TIMEOUT_MS', 30_000, { min: 100 }),
      stallTimeoutMs: reader.integer('STALL_TIMEOUT_MS', 30_000, { min: 100 }),
      connections: reader.integer('MAX_CONNECTIONS', 10_000, { min: 10 }),
      connectionsPerAddress: reader.integer('MAX_CONNECTIONS_PER_ADDRESS', 1_000, { min: 1 }),
    }),
    pending: Object.freeze({
      bytes: Object.freeze({
        perCaller: reader.integer('MAX_PENDING_BYTES_PER_CALLER', 64 * MIB, { min: 40 * MIB }),
        total: reader.integer('MAX_PENDING_BYTES', 192 * MIB, { min: 80 * MIB }),
      }),
      requests: Object.freeze({
        perUser: reader.integer('MAX_RUNNING_REQUESTS_PER_USER', 8, { min: 1 }),
        total: reader.integer('MAX_RUNNING_REQUESTS', 256, { min: 4 }),
      }),
      responseBytesPerSecond: reader.integer('MAX_RESPONSE_BYTES_PER_SECOND', 8 * MIB, {
        min: 64 * KIB,
      }),
    }),
    rateLimits: Object.freeze({
      address: readBucket(reader, 'ADDRESS', { perSecond: 50, burst: 500 }),
      user: readBucket(reader, 'USER', { perSecond: 100, burst: 1000 }),
      changes: readBucket(reader, 'CHANGES', { perSecond: 10, burst: 500 }),
      failedSignIns: readBucket(reader, 'FAILED_SIGN_INS', { perSecond: 1, burst: 20 }),
    }),
  }))
}

function readIssuersAndSignIn(reader: ConfigReader): Pick<GatewayConfig, 'issuers' | 'signIn'> {
  const issuers = readIssuers(reader)
  return { issuers, signIn: readSignIn(reader, issuers) }
}

function readBucket(reader: ConfigReader, name: string, fallback: BucketSettings): BucketSettings {
  const bounds = { min: 1, max: 10_000_000 }
  return Object.freeze({
    perSecond: reader.integer(`RATE_LIMIT_${name}_PER_SECOND`, fallback.perSecond, bounds),
    burst: reader.integer(`RATE_LIMIT_${name}_BURST`, fallback.burst, bounds),
  })
}

function readProxies(reader: ConfigReader): readonly string[] {
  const proxies = reader.list('TRUSTED_PROXIES', [])
  try {
    proxyAddress.compile([...proxies])
  } catch (error) {
    reader.report(`TRUSTED_PROXIES: ${error instanceof Error ? error.message : 'is not valid'}`)
  }
  return proxies
}

function readPublicUrl(reader: ConfigReader): string | undefined {
  const text = reader.optional('PUBLIC_URL')
  const origin = text === undefined ? undefined : originOf(text)
  if (text !== undefined && origin === undefined)
    reader.report(`PUBLIC_URL: ${text} is not an origin such as https://slipway.example.com`)
  return origin
}

function readOrigins(reader: ConfigReader): readonly string[] {
  return reader.list('CORS_ORIGINS', []).flatMap((text) => {
    const origin = originOf(text)
    if (origin === undefined)
      reader.report(`CORS_ORIGINS: ${text} is not an origin such as https://app.example.com`)
    return origin ?? []
  })
}

/** Returns an origin as browsers write it; undefined for a URL with more than that. */
function originOf(text: string): string | undefined {
  const url = URL.parse(text)
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  return isOrigin ? url.origin : undefined
}
