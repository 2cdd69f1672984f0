import { readAccountLimits, type AccountLimitsConfig } from '@slipway/shared/account-limits'
import {
  readIssuers,
  readServiceTokenConfig,
  type IssuerSetting,
  type ServiceTokenConfig,
} from '@slipway/shared/auth'
import { parseConfig, type ConfigReader, type Environment } from '@slipway/shared/config'
import { readDatabaseUrl } from '@slipway/shared/db'
import { readNatsServers, type NatsServers } from '@slipway/shared/events'
import { LOG_LEVELS } from '@slipway/shared/logger'
import {
  readServerCertificate,
  readTrustedCa,
  type ServerCertificate,
  type TrustedCaFile,
} from '@slipway/shared/tls'

import { readModelPrices, type ModelPricesConfig } from './prices/model-prices.ts'

export interface ObservabilityConfig {
  readonly grpcAddress: string
  readonly connectAddress: string
  readonly opsAddress: string
  /** The certificate of the gRPC and Connect listeners; undefined serves plaintext. */
  readonly rpcCertificate: ServerCertificate | undefined
  /** Whether tools may read the protos over gRPC. */
  readonly grpcReflection: boolean
  readonly logLevel: (typeof LOG_LEVELS)[number]
  readonly issuers: readonly IssuerSetting[]
  readonly serviceToken: ServiceTokenConfig
  /** The authorities to trust when services are called by TLS; undefined: plaintext. */
  readonly rpcCa: TrustedCaFile | undefined
  readonly nats: NatsServers
  readonly catalogAddresses: readonly string[]
  readonly deployerAddresses: readonly string[]
  readonly database: {
    readonly url: string
    readonly poolSize: number
    readonly migrateOnStart: boolean
  }
  readonly traceStore: TraceStoreConfig
  /** How many days the store keeps traces. */
  readonly retentionDays: number
  readonly query: QuerySettings
  readonly ingest: IngestSettings
  readonly accountLimits: AccountLimitsConfig
  readonly modelPrices: ModelPricesConfig
}

/** The trace store: a ClickHouse server, the engine inside this process, or none. */
export type TraceStoreConfig =
  | {
      readonly kind: 'server'
      readonly url: string
      /** The certificate authorities to trust; default: those of Node. */
      readonly trustedCa: TrustedCaFile | undefined
    }
  | { readonly kind: 'embedded'; readonly dataDirectory: string; readonly memoryBytes: number }
  | { readonly kind: 'none' }

export interface QuerySettings {
  /** The time limit for the queries of one call, unless the caller's deadline is earlier. */
  readonly timeoutMs: number
  /** How long to wait for a span's parent before the span counts as the root of its trace. */
  readonly graceMs: number
}

export interface IngestSettings {
  /** The host:port of each OTLP/HTTP listener. */
  readonly httpAddresses: readonly string[]
  /** The host:port of each OTLP/gRPC listener. */
  readonly grpcAddresses: readonly string[]
  /** Maximum size of a request as sent. */
  readonly bodyBytes: number
  /** Maximum size of a request after decompression. */
  readonly decodedBytes: number
  /** Maximum size of a JSON request after decompression. */
  readonly jsonBytes: number
  /** How long a sender may take to send one request. */
  readonly bodyTimeoutMs: number
  /** The memory for requests in progress; further requests get a 429. */
  readonly pendingBytes: number
  /** Maximum number of connections from one address to each listener. */
  readonly connectionsPerAddress: number
  /** How long a resolved ingest token is cached. */
  readonly tokenCacheMs: number
}

/**
 * Reads the configuration from environment variables. Throws a ConfigError that lists every
 * invalid variable.
 */
export function readConfig(env: Environment): ObservabilityConfig {
  return parseConfig(env, (reader) => ({
    grpcAddress: reader.address('GRPC_ADDRESS', '127.0.0.1:9103'),
    connectAddress: reader.address('CONNECT_ADDRESS', '127.0.0.1:9123'),
    opsAddress: reader.address('OPS_ADDRESS', '127.0.0.1:9113'),
    rpcCertificate: readServerCertificate(reader),
    grpcReflection: reader.boolean('GRPC_REFLECTION', false),
    logLevel: reader.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    issuers: readIssuers(reader),
    serviceToken: readServiceTokenConfig(reader),
    rpcCa: readTrustedCa(reader, 'RPC_TLS_CA_FILE'),
    nats: readNatsServers(reader),
    catalogAddresses: reader.list('CATALOG_ADDRESS', ['127.0.0.1:9121']),
    deployerAddresses: reader.list('DEPLOYER_ADDRESS', ['127.0.0.1:9102']),
    database: Object.freeze({
      url: readDatabaseUrl(reader),
      poolSize: reader.integer('DATABASE_POOL_SIZE', 5, { min: 2, max: 500 }),
      migrateOnStart: reader.boolean('MIGRATE_ON_START', false),
    }),
    traceStore: Object.freeze(readTraceStore(reader)),
    retentionDays: readRetentionDays(reader),
    query: Object.freeze({
      timeoutMs: reader.integer('TRACE_QUERY_TIMEOUT_MS', 10_000, { min: 100, max: 300_000 }),
      graceMs: reader.integer('TRACE_GRACE_MS', 60_000, { min: 0, max: 3_600_000 }),
    }),
    accountLimits: readAccountLimits(reader),
    modelPrices: readModelPrices(reader),
    ingest: Object.freeze({
      httpAddresses: reader.list('OTLP_ADDRESSES', ['127.0.0.1:4318']),
      grpcAddresses: reader.list('OTLP_GRPC_ADDRESSES', []),
      bodyBytes: reader.integer('OTLP_MAX_BODY_BYTES', 16 * MIB, { min: 1024, max: 256 * MIB }),
      decodedBytes: reader.integer('OTLP_MAX_DECODED_BYTES', 32 * MIB, {
        min: 1024,
        max: 1024 * MIB,
      }),
      jsonBytes: reader.integer('OTLP_MAX_JSON_BYTES', 32 * MIB, { min: 1024, max: 256 * MIB }),
      bodyTimeoutMs: reader.integer('OTLP_BODY_TIMEOUT_MS', 10_000, { min: 100, max: 300_000 }),
      pendingBytes: reader.integer('OTLP_MAX_PENDING_BYTES', 256 * MIB, { min: 1024 }),
      connectionsPerAddress: reader.integer('OTLP_MAX_CONNECTIONS_PER_ADDRESS', 200, { min: 1 }),
      tokenCacheMs: reader.integer('INGEST_TOKEN_CACHE_MS', 5_000, { min: 0, max: 60_000 }),
    }),
  }))
}

const MIB = 1024 * 1024

export function readTraceStore(reader: ConfigReader): TraceStoreConfig {
  const url = reader.optional('CLICKHOUSE_URL')
  const trustedCa = readTrustedCa(reader, 'CLICKHOUSE_CA_FILE')
  if (trustedCa !== undefined && !url?.startsWith('https://'))
    reader.report('CLICKHOUSE_CA_FILE: CLICKHOUSE_URL must be an https URL')
  if (url === 'none') return { kind: 'none' }
  if (url === undefined) {
    return {
      kind: 'embedded',
      dataDirectory: reader.string('CLICKHOUSE_DATA_DIR'),
      memoryBytes: reader.integer('CLICKHOUSE_MAX_MEMORY_BYTES', 3 * 1024 * MIB, {
        min: 512 * MIB,
      }),
    }
  }
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    reader.report('CLICKHOUSE_URL: must be an http(s) URL or "none"')
  return { kind: 'server', url, trustedCa }
}

/** Reads how many days traces are kept. */
export function readRetentionDays(reader: ConfigReader): number {
  return reader.integer('TRACE_RETENTION_DAYS', 30, { min: 1, max: 3650 })
}
