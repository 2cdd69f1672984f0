import { readAccountLimits, type AccountLimitsConfig } from '@slipway/shared/account-limits'
import { readIssuers, type IssuerSetting } from '@slipway/shared/auth'
import { parseConfig, type ConfigReader, type Environment } from '@slipway/shared/config'
import { readDatabaseUrl } from '@slipway/shared/db'
import { readNatsServers, type NatsServers } from '@slipway/shared/events'
import { LOG_LEVELS } from '@slipway/shared/logger'
import { readServerCertificate, type ServerCertificate } from '@slipway/shared/tls'
import { readTemplateSettings, type TemplateSettings } from '@slipway/agent-spec'

export interface CatalogConfig {
  readonly grpcAddress: string
  readonly connectAddress: string
  readonly opsAddress: string
  /** The certificate of the gRPC and Connect listeners; undefined serves plaintext. */
  readonly rpcCertificate: ServerCertificate | undefined
  /** Whether tools may read the protos over gRPC. */
  readonly grpcReflection: boolean
  readonly logLevel: (typeof LOG_LEVELS)[number]
  readonly issuers: readonly IssuerSetting[]
  readonly nats: NatsServers
  readonly database: {
    readonly url: string
    readonly poolSize: number
    readonly migrateOnStart: boolean
  }
  readonly limits: CatalogLimits
  readonly accountLimits: AccountLimitsConfig
  /** The operator's settings for all deployments. */
  readonly template: TemplateSettings
}

/** Limits of requests and responses. */
export interface CatalogLimits {
  /** Maximum size of a spec. */
  readonly specBytes: number
  /** Maximum size of a readme. */
  readonly readmeBytes: number
  /** A page of a list ends with the agent that reaches this size. */
  readonly pageBytes: number
  /**
   * Beyond this total size, the builds of an agent are returned without spec, readme and warnings.
   */
  readonly detailBytes: number
  /** How many of the newest unpublished builds of an agent are kept. */
  readonly unpublishedBuilds: number
  /** How long the previous name of an account stays reserved for it. */
  readonly nameHoldDays: number
  /** The maximum number of names that are reserved because a user renamed accounts. */
  readonly heldNamesPerUser: number
  /** The maximum number of previous names with published versions that an account keeps. */
  readonly publishedNamesPerAccount: number
  /** The maximum number of accounts that a user can create. */
  readonly accountsCreatedPerUser: number
  readonly sessions: SessionLimits
}

/** Limits of the sessions of browsers. They also apply to sessions that exist. */
export interface SessionLimits {
  /** How long a session lasts at most. */
  readonly lifetimeMinutes: number
  /** After how long without use a session ends. */
  readonly idleMinutes: number
  /** The maximum number of sessions of a user; the oldest one ends. */
  readonly perUser: number
}

/** Reads the settings from environment variables; throws a ConfigError that lists all problems. */
export function readConfig(env: Environment): CatalogConfig {
  return parseConfig(env, (reader) => ({
    grpcAddress: reader.address('GRPC_ADDRESS', '127.0.0.1:9101'),
    connectAddress: reader.address('CONNECT_ADDRESS', '127.0.0.1:9121'),
    opsAddress: reader.address('OPS_ADDRESS', '127.0.0.1:9111'),
    rpcCertificate: readServerCertificate(reader),
    grpcReflection: reader.boolean('GRPC_REFLECTION', false),
    logLevel: reader.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    issuers: readIssuers(reader),
    nats: readNatsServers(reader),
    database: Object.freeze({
      url: readDatabaseUrl(reader),
      poolSize: reader.integer('DATABASE_POOL_SIZE', 10, { min: 2, max: 500 }),
      migrateOnStart: reader.boolean('MIGRATE_ON_START', false),
    }),
    template: readTemplateSettings(reader),
    accountLimits: readAccountLimits(reader),
    limits: Object.freeze({
      specBytes: reader.integer('MAX_SPEC_BYTES', 256 * 1024, { min: 1024, max: 1024 * 1024 }),
      readmeBytes: reader.integer('MAX_README_BYTES', 512 * 1024, {
        min: 1024,
        max: 2 * 1024 * 1024,
      }),
      pageBytes: reader.integer('MAX_PAGE_BYTES', 4 * 1024 * 1024, {
        min: 64 * 1024,
        max: 8 * 1024 * 1024,
      }),
      detailBytes: reader.integer('MAX_DETAIL_BYTES', 8 * 1024 * 1024, {
        min: 64 * 1024,
        max: 10 * 1024 * 1024,
      }),
      accountsCreatedPerUser: reader.integer('MAX_ACCOUNTS_CREATED_PER_USER', 10, {
        min: 1,
        max: 1000,
      }),
      heldNamesPerUser: reader.integer('MAX_HELD_NAMES_PER_USER', 10, { min: 1, max: 1000 }),
      publishedNamesPerAccount: reader.integer('MAX_PUBLISHED_NAMES_PER_ACCOUNT', 10, {
        min: 0,
        max: 1000,
      }),
      unpublishedBuilds: reader.integer('MAX_UNPUBLISHED_BUILDS_PER_AGENT', 200, {
        min: 1,
        max: 1_000_000,
      }),
      nameHoldDays: reader.integer('ACCOUNT_NAME_HOLD_DAYS', 30, { min: 0, max: 3650 }),
      sessions: readSessionLimits(reader),
    }),
  }))
}

function readSessionLimits(reader: ConfigReader): SessionLimits {
  const day = 24 * 60
  return Object.freeze({
    // The last use is stored to about a minute.
    lifetimeMinutes: reader.integer('SESSION_LIFETIME_MINUTES', 7 * day, { min: 5, max: 90 * day }),
    idleMinutes: reader.integer('SESSION_IDLE_MINUTES', day, { min: 5, max: 90 * day }),
    perUser: reader.integer('MAX_SESSIONS_PER_USER', 20, { min: 1, max: 1000 }),
  })
}
