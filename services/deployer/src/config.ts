import { readAccountLimits, type AccountLimitsConfig } from '@slipway/shared/account-limits'
import {
  readIssuers,
  readServiceTokenConfig,
  type IssuerSetting,
  type ServiceTokenConfig,
} from '@slipway/shared/auth'
import { parseConfig, type ConfigReader, type Environment } from '@slipway/shared/config'
import { readDatabaseUrl } from '@slipway/shared/db'
import type { Bounds } from '@slipway/shared/fair-queue'
import { readNatsServers, type NatsServers } from '@slipway/shared/events'
import { LOG_LEVELS } from '@slipway/shared/logger'
import {
  readServerCertificate,
  readTrustedCa,
  type ServerCertificate,
  type TrustedCaFile,
} from '@slipway/shared/tls'

import { readClusterConfig, type ClusterConfig } from './config/cluster.ts'
import { readWorkloadConfig, type WorkloadConfig } from './config/workloads.ts'

/** The deployer's configuration. */
export interface DeployerConfig {
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
  readonly catalogAddresses: readonly string[]
  /** The authorities to trust when services are called by TLS; undefined: plaintext. */
  readonly rpcCa: TrustedCaFile | undefined
  readonly nats: NatsServers
  readonly database: {
    readonly url: string
    readonly poolSize: number
    readonly migrateOnStart: boolean
  }
  readonly cluster: ClusterConfig
  readonly workloads: WorkloadConfig
  /** Key of the HMACs in the names of Secrets and in the fingerprints of revisions. */
  readonly secretNameKey: Buffer
  readonly limits: DeployerLimits
  readonly accountLimits: AccountLimitsConfig
}

/** Limits for waits, logs and streams. */
export interface DeployerLimits {
  /** How long an operation waits for another one on the same agent. */
  readonly lockWaitMs: number
  /** How many of the newest revisions of a deployment are kept. */
  readonly maxRevisions: number
  /** How long a deploy waits for a namespace that is still being deleted. */
  readonly terminatingWaitMs: number
  /** The maximum number of bytes to send of a log. */
  readonly logBytes: number
  /** How many bytes of logs a user gets in a second, after `logBytes`. */
  readonly logBytesPerSecond: number
  readonly streams: Bounds
  readonly waits: Bounds
  /** Deploys, undeploys and the like that run at the same time. */
  readonly operations: Bounds
}

/** Reads the configuration from environment variables. Throws a ConfigError with all problems. */
export function readConfig(env: Environment): DeployerConfig {
  return parseConfig(env, (reader) => ({
    grpcAddress: reader.address('GRPC_ADDRESS', '127.0.0.1:9102'),
    connectAddress: reader.address('CONNECT_ADDRESS', '127.0.0.1:9122'),
    opsAddress: reader.address('OPS_ADDRESS', '127.0.0.1:9112'),
    rpcCertificate: readServerCertificate(reader),
    grpcReflection: reader.boolean('GRPC_REFLECTION', false),
    logLevel: reader.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    issuers: readIssuers(reader),
    serviceToken: readServiceTokenConfig(reader),
    catalogAddresses: reader.list('CATALOG_ADDRESS', ['127.0.0.1:9121']),
    rpcCa: readTrustedCa(reader, 'RPC_TLS_CA_FILE'),
    nats: readNatsServers(reader),
    database: Object.freeze({
      url: readDatabaseUrl(reader),
      poolSize: reader.integer('DATABASE_POOL_SIZE', 20, { min: 4, max: 500 }),
      migrateOnStart: reader.boolean('MIGRATE_ON_START', false),
    }),
    cluster: readClusterConfig(reader),
    workloads: readWorkloadConfig(reader),
    secretNameKey: reader.hexSecret('SECRET_NAME_KEY', 32),
    limits: Object.freeze({
      maxRevisions: reader.integer('MAX_REVISIONS_PER_DEPLOYMENT', 100, {
        min: 10,
        max: 100_000,
      }),
      lockWaitMs: reader.integer('LOCK_WAIT_MS', 30_000, { max: 300_000 }),
      terminatingWaitMs: reader.integer('TERMINATING_WAIT_MS', 30_000, { max: 300_000 }),
      logBytes: reader.integer('MAX_LOG_BYTES', 10 * 1024 * 1024, {
        min: 1024,
        max: 1024 * 1024 * 1024,
      }),
      logBytesPerSecond: reader.integer('MAX_LOG_BYTES_PER_SECOND', 4 * 1024 * 1024, {
        min: 1024,
        max: 1024 * 1024 * 1024,
      }),
      streams: readCallBounds(reader, 'MAX_STREAMS', CALLS),
      waits: readCallBounds(reader, 'MAX_WAITS', CALLS),
      operations: readCallBounds(reader, 'MAX_OPERATIONS', OPERATIONS),
    }),
    accountLimits: readAccountLimits(reader),
  }))
}

const CALLS: Bounds = { total: 512, perAccount: 64, perUser: 32 }
const OPERATIONS: Bounds = { total: 64, perAccount: 16, perUser: 8 }

function readCallBounds(reader: ConfigReader, name: string, usual: Bounds): Bounds {
  const bounds = { min: 1, max: 100_000 }
  return Object.freeze({
    total: reader.integer(name, usual.total, bounds),
    perAccount: reader.integer(`${name}_PER_ACCOUNT`, usual.perAccount, bounds),
    perUser: reader.integer(`${name}_PER_USER`, usual.perUser, bounds),
  })
}
