import { randomUUID } from 'node:crypto'

import { BuildTemplates } from '@slipway/agent-spec'
import { followAccountLimits } from '@slipway/shared/account-limits'
import { startTokenVerifier } from '@slipway/shared/auth'
import { createDatabase, logMigration, migrate, schemaCheck } from '@slipway/shared/db'
import { connectNats, startOutboxRelay } from '@slipway/shared/events'
import { createLogger, type Logger } from '@slipway/shared/logger'
import { withMachineTokens } from '@slipway/shared/machine-tokens'
import { startRpcServer } from '@slipway/shared/rpc'

import type { CatalogConfig } from './config.ts'
import { migrations } from './db/migrations/index.ts'
import type { CatalogSchema } from './db/tables.ts'
import { createMachineTokenVerifier } from './machine-token-verifier.ts'
import { createCallQueue } from './rpc/in-turn.ts'
import { routes } from './rpc/routes.ts'
import { createSearchQueue } from './rpc/search-turns.ts'
import { createSpecQueue } from './rpc/spec-turns.ts'
import { sweepSessions } from './sweep-sessions.ts'
import { UserInfo } from './user-info.ts'

/** Dependencies that a test can replace. */
export interface CatalogOverrides {
  readonly logger?: Logger
  readonly randomId?: () => string
  /** How often the file of account limits is read, in milliseconds. */
  readonly limitsIntervalMs?: number
  /** How often the rows of ended sessions are deleted, in milliseconds. */
  readonly sweepIntervalMs?: number
}

/** A running catalog. Disposing of it waits for running calls, then closes everything. */
export interface CatalogService extends AsyncDisposable {
  /** host:port of the gRPC listener. */
  readonly grpcAddress: string
  /** host:port of the Connect listener. */
  readonly connectAddress: string
  /** host:port of the operations listener. */
  readonly opsAddress: string
}

/**
 * Starts the catalog: its database, its listeners, and the relay of its events. NATS may be
 * unreachable.
 */
export async function startCatalog(
  config: CatalogConfig,
  overrides: CatalogOverrides = {},
): Promise<CatalogService> {
  const logger = overrides.logger ?? createLogger('catalog', config.logLevel)
  await using starting = new AsyncDisposableStack()
  const db = starting.use(
    createDatabase<CatalogSchema>({
      url: config.database.url,
      applicationName: 'catalog',
      poolSize: config.database.poolSize,
      logger,
    }),
  )
  if (config.database.migrateOnStart)
    logMigration(logger, 'database', await migrate(db, migrations))
  const nats = starting.use(connectNats({ ...config.nats, name: 'catalog', logger }))
  starting.use(startOutboxRelay({ db, nats, logger }))
  starting.use(
    sweepSessions({
      db,
      limits: config.limits.sessions,
      logger,
      intervalMs: overrides.sweepIntervalMs,
    }),
  )
  const machineTokens = createMachineTokenVerifier(db, logger)
  const tokenVerifier = withMachineTokens(
    await startTokenVerifier(config.issuers, logger),
    machineTokens,
  )
  const context = {
    db,
    tokenVerifier,
    machineTokens,
    userInfo: new UserInfo(config.issuers, logger),
    calls: createCallQueue(config.database.poolSize),
    searches: createSearchQueue(),
    specs: createSpecQueue(),
    limits: config.limits,
    accountLimits: starting.use(
      followAccountLimits(config.accountLimits, logger, overrides.limitsIntervalMs),
    ),
    template: config.template,
    templates: new BuildTemplates(config.template),
    randomId: overrides.randomId ?? randomUUID,
  }
  const server = starting.use(
    await startRpcServer({
      grpcAddress: config.grpcAddress,
      connectAddress: config.connectAddress,
      opsAddress: config.opsAddress,
      certificate: config.rpcCertificate,
      reflection: config.grpcReflection,
      services: routes(context, { logger, tokenVerifier }),
      checks: { database: () => db.ping(), database_schema: schemaCheck(db, migrations) },
      logger,
      tokenVerifier,
    }),
  )
  const running = starting.move()
  return {
    grpcAddress: server.grpcAddress,
    connectAddress: server.connectAddress,
    opsAddress: server.opsAddress,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
