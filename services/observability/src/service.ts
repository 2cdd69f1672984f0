import { createClient } from '@connectrpc/connect'
import { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'
import { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'
import { followAccountLimits } from '@slipway/shared/account-limits'
import {
  createServiceTokenSource,
  type ServiceTokenSource,
  startTokenVerifier,
} from '@slipway/shared/auth'
import { createDatabase, logMigration, migrate, schemaCheck } from '@slipway/shared/db'
import { connectNats } from '@slipway/shared/events'
import { createLogger, type Logger } from '@slipway/shared/logger'
import { createRemoteVerifier, withMachineTokens } from '@slipway/shared/machine-tokens'
import {
  createConnectUnaryTransport,
  createGrpcTransport,
  followRpcCa,
  startRpcServer,
} from '@slipway/shared/rpc'

import { createMemberships } from './access/membership.ts'
import { TraceTurns } from './access/trace-turns.ts'
import type { ObservabilityConfig } from './config.ts'
import { dropCaches } from './consumers/drop-caches.ts'
import { indexDeployments } from './consumers/index-deployments.ts'
import { migrations } from './db/migrations/index.ts'
import type { ObservabilitySchema } from './db/tables.ts'
import { createIngest } from './ingest/pipeline/ingest.ts'
import { createIngestMemory } from './ingest/pipeline/ingest-memory.ts'
import { createIngestTokens } from './ingest/listeners/ingest-tokens.ts'
import { IngestTurns } from './ingest/pipeline/ingest-turns.ts'
import { logSignal } from './ingest/logs/log-signal.ts'
import { startOtlpGrpc } from './ingest/listeners/otlp-grpc.ts'
import { startOtlpHttp } from './ingest/listeners/otlp-http.ts'
import { spanSignal } from './ingest/spans/span-signal.ts'
import { InsertQueue } from './ingest/pipeline/insert-queue.ts'
import { followModelPrices } from './prices/model-prices.ts'
import { KnownHours } from './query/known-hours.ts'
import { SpanQuota } from './quota/span-quota.ts'
import { startExpiryJob } from './retention/expiry-job.ts'
import { retentionOf } from './retention/retention.ts'
import { routes } from './rpc/routes.ts'
import { followClickHouseCa, openEngine } from './store/open-engine.ts'
import { TraceStore } from './store/trace-store.ts'
import { prepareTraceStore } from './trace-store-schema.ts'

/** Dependencies that tests can replace. */
export interface ObservabilityOverrides {
  readonly logger?: Logger
  readonly clock?: () => number
  readonly serviceToken?: ServiceTokenSource
  /** How long a membership is cached, in milliseconds. */
  readonly grantMs?: number
  /** How often the operator's files are read, in milliseconds. */
  readonly limitsIntervalMs?: number
  /** How often spans that accounts no longer keep are deleted, in milliseconds. */
  readonly expiryIntervalMs?: number
  /** How long senders over HTTP are asked to use other connections once it is stopping. */
  readonly noticeMs?: number
  readonly knownHours?: KnownHours
  /** Opens ClickHouse. The bench wraps it to record queries. */
  readonly openEngine?: typeof openEngine
}

/** A running observability service. Disposal waits for running requests, then closes everything. */
export interface ObservabilityService extends AsyncDisposable {
  /** The host:port of the gRPC listener. */
  readonly grpcAddress: string
  /** The host:port of the Connect listener. */
  readonly connectAddress: string
  /** The host:port of the operations listener. */
  readonly opsAddress: string
  /** The host:port of each OTLP/HTTP listener. */
  readonly otlpHttpAddresses: readonly string[]
  /** The host:port of each OTLP/gRPC listener. */
  readonly otlpGrpcAddresses: readonly string[]
}

/**
 * Starts observability: its stores, consumers and listeners. NATS, ClickHouse and the other
 * services may start later. Throws if a migration fails or an address is in use.
 */
export async function startObservability(
  config: ObservabilityConfig,
  overrides: ObservabilityOverrides = {},
): Promise<ObservabilityService> {
  const logger = overrides.logger ?? createLogger('observability', config.logLevel)
  const clock = overrides.clock ?? Date.now
  await using starting = new AsyncDisposableStack()
  const db = starting.use(
    createDatabase<ObservabilitySchema>({
      url: config.database.url,
      applicationName: 'observability',
      poolSize: config.database.poolSize,
      logger,
    }),
  )
  const { migrateOnStart } = config.database
  if (migrateOnStart) logMigration(logger, 'database', await migrate(db, migrations))
  const { retentionDays } = config
  const knownHours = overrides.knownHours ?? new KnownHours()
  const clickHouseCa = starting.use(followClickHouseCa(config.traceStore, logger))
  const store = starting.use(
    new TraceStore(config.traceStore, {
      prepare: async (engine) => {
        await prepareTraceStore({ db, retentionDays, logger, migrateOnStart }, engine)
        knownHours.clear()
      },
      logger,
      trustedCa: clickHouseCa?.value,
      openEngine: overrides.openEngine ?? openEngine,
    }),
  )
  const nats = starting.use(connectNats({ ...config.nats, name: 'observability', logger }))

  const serviceToken = overrides.serviceToken ?? createServiceTokenSource(config.serviceToken)
  const rpcCa = starting.use(followRpcCa(config.rpcCa, logger))
  const catalog = starting.use(createConnectUnaryTransport(config.catalogAddresses, rpcCa?.value))
  const deployer = starting.use(
    createGrpcTransport(config.deployerAddresses, [WorkloadService], rpcCa?.value),
  )
  const memberships = createMemberships({
    accounts: createClient(AccountService, catalog),
    serviceToken,
    grantMs: overrides.grantMs,
  })
  const tokens = createIngestTokens(
    createClient(WorkloadService, deployer),
    serviceToken,
    config.ingest.tokenCacheMs,
  )
  starting.use(indexDeployments(db, nats, logger))
  const machineTokens = createRemoteVerifier(catalog)
  starting.use(dropCaches({ memberships, machineTokens, tokens }, nats, logger))

  const spanQueue = starting.use(new InsertQueue((blocks) => store.insertSpans(blocks)))
  const logQueue = starting.use(new InsertQueue((blocks) => store.insertLogs(blocks)))
  const limits = starting.use(
    followAccountLimits(config.accountLimits, logger, overrides.limitsIntervalMs),
  )
  const retention = retentionOf(limits, retentionDays)
  if (config.accountLimits !== undefined && config.traceStore.kind !== 'none') {
    const intervalMs = overrides.expiryIntervalMs
    starting.use(startExpiryJob({ db, store, retention, logger, clock, intervalMs }))
  }
  const spanQuota = starting.use(new SpanQuota({ db, limits, logger, clock }))
  const memory = createIngestMemory(config.ingest.pendingBytes)
  const prices = starting.use(
    followModelPrices(config.modelPrices, logger, overrides.limitsIntervalMs),
  )
  const storing = { quota: spanQuota, turns: new IngestTurns(), retention, clock }
  const ingest = {
    traces: createIngest({ ...storing, queue: spanQueue }, spanSignal(prices)),
    logs: createIngest({ ...storing, queue: logQueue }, logSignal),
  }
  const tokenVerifier = withMachineTokens(
    await startTokenVerifier(config.issuers, logger),
    machineTokens,
  )
  const ingestContext = { ingest, tokens, spanQuota, memory, settings: config.ingest, logger }
  const otlpHttp: string[] = []
  for (const address of config.ingest.httpAddresses) {
    const listener = starting.use(await startOtlpHttp(address, ingestContext, overrides.noticeMs))
    otlpHttp.push(listener.address)
  }
  const otlpGrpc: string[] = []
  for (const address of config.ingest.grpcAddresses) {
    const listener = starting.use(
      await startOtlpGrpc(address, ingestContext, { logger, tokenVerifier }),
    )
    otlpGrpc.push(listener.address)
  }
  const server = starting.use(
    await startRpcServer({
      grpcAddress: config.grpcAddress,
      connectAddress: config.connectAddress,
      opsAddress: config.opsAddress,
      certificate: config.rpcCertificate,
      reflection: config.grpcReflection,
      services: routes(
        {
          store,
          knownHours,
          traceTurns: new TraceTurns(),
          memberships,
          spanQuota,
          retention,
          settings: config.query,
          clock,
        },
        { logger, tokenVerifier },
      ),
      checks: {
        database: () => db.ping(),
        database_schema: schemaCheck(db, migrations),
        trace_store_schema: () => store.checkSchema(),
        ...(rpcCa && { rpc_ca: rpcCa.check }),
        ...(clickHouseCa && { clickhouse_ca: clickHouseCa.check }),
      },
      logger,
      tokenVerifier,
    }),
  )
  const running = starting.move()
  return {
    grpcAddress: server.grpcAddress,
    connectAddress: server.connectAddress,
    opsAddress: server.opsAddress,
    otlpHttpAddresses: otlpHttp,
    otlpGrpcAddresses: otlpGrpc,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
