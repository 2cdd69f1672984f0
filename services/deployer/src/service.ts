import { randomUUID } from 'node:crypto'

import { createClient } from '@connectrpc/connect'
import { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'
import { AgentService } from '@slipway/proto/slipway/catalog/v1/agent_service'
import { BuildTemplates } from '@slipway/agent-spec'
import { followAccountLimits } from '@slipway/shared/account-limits'
import { createServiceTokenSource, startTokenVerifier } from '@slipway/shared/auth'
import { createDatabase, logMigration, migrate, schemaCheck } from '@slipway/shared/db'
import { Unavailable } from '@slipway/shared/errors'
import { connectNats, startBroadcastConsumer, startOutboxRelay } from '@slipway/shared/events'
import { createLogger, type Logger } from '@slipway/shared/logger'
import { createRemoteVerifier, withMachineTokens } from '@slipway/shared/machine-tokens'
import { createConnectUnaryTransport, followRpcCa, startRpcServer } from '@slipway/shared/rpc'

import { createOperationQueue, createStreamQueue, createWaitQueue } from './access/call-queues.ts'
import { IngressCertificate } from './access/ingress-certificate.ts'
import { LogRate } from './access/log-rate.ts'
import { createMemberships } from './access/membership.ts'
import { startKeepingLogs } from './agent-logs/failed-runs.ts'
import { KeptLogs } from './agent-logs/kept-logs.ts'
import type { DeployerConfig } from './config.ts'
import { startAccountRenames } from './consumers/account-renames.ts'
import { startDeletions } from './consumers/deletions.ts'
import type { DeployerContext } from './context.ts'
import { EventWaiters } from './db/event-waiters.ts'
import { migrations } from './db/migrations/index.ts'
import type { DeployerSchema } from './db/tables.ts'
import { FailureReader } from './failures/failure-reader.ts'
import { RegistryConnections, type ResolveHost } from './images/connections.ts'
import { ImageAccess } from './images/image-access.ts'
import { ImageDigests } from './images/image-digests.ts'
import { publicAddresses } from './images/public-address.ts'
import { KubernetesClient } from './kubernetes/client.ts'
import { openCluster } from './kubernetes/cluster-access.ts'
import { policyCheck } from './kubernetes/policy-check.ts'
import { startAdoption } from './reconcile/namespace-adoption.ts'
import { startReconciler } from './reconcile/reconciler.ts'
import { startStateWatcher } from './reconcile/state-watcher.ts'
import { routes } from './rpc/routes.ts'

/** Dependencies that tests can replace. */
export interface DeployerOverrides {
  readonly logger?: Logger
  readonly randomId?: () => string
  /** Replaces DNS for the hosts of registries. */
  readonly resolveHost?: ResolveHost
  readonly onStep?: DeployerContext['onStep']
}

/** A running deployer. Disposing of it finishes running calls, then closes everything. */
export interface DeployerProcess extends AsyncDisposable {
  /** host:port of the gRPC listener. */
  readonly grpcAddress: string
  /** host:port of the Connect listener. */
  readonly connectAddress: string
  /** host:port of the operations listener. */
  readonly opsAddress: string
}

/** The error that ends streams of a deployer that stops. */
function serviceStopping(): Unavailable {
  const message = 'this replica of the deployer is stopping; continue the stream on another one'
  return new Unavailable('service_stopping', message, { retryAfterMs: 1_000 })
}

/** Starts the deployer: database, cluster, listeners and background work. */
export async function startDeployer(
  config: DeployerConfig,
  overrides: DeployerOverrides = {},
): Promise<DeployerProcess> {
  const logger = overrides.logger ?? createLogger('deployer', config.logLevel)
  await using starting = new AsyncDisposableStack()
  const db = starting.use(
    createDatabase<DeployerSchema>({
      url: config.database.url,
      applicationName: 'deployer',
      poolSize: config.database.poolSize,
      logger,
    }),
  )
  if (config.database.migrateOnStart)
    logMigration(logger, 'database', await migrate(db, migrations))
  const access = await openCluster(config.cluster.kubeconfigPath)
  const kubernetes = starting.use(new KubernetesClient(access, config.cluster.requestTimeoutMs))
  const nats = starting.use(connectNats({ ...config.nats, name: 'deployer', logger }))
  starting.use(startOutboxRelay({ db, nats, logger }))
  const rpcCa = starting.use(followRpcCa(config.rpcCa, logger))
  const transport = starting.use(createConnectUnaryTransport(config.catalogAddresses, rpcCa?.value))
  const serviceToken = createServiceTokenSource(config.serviceToken)
  const accounts = createClient(AccountService, transport)
  const memberships = createMemberships({ accounts, serviceToken })
  const machineTokens = createRemoteVerifier(transport)
  const dropCaches = (accountId?: string): void => {
    memberships.drop(accountId)
    machineTokens.drop(accountId)
  }
  starting.use(
    startBroadcastConsumer({
      nats,
      logger,
      filterSubjects: ['slipway.account.>'],
      onEvent: ({ accountId }) => dropCaches(accountId),
      onReset: () => dropCaches(),
    }),
  )
  starting.use(startAccountRenames({ db, nats, logger }))
  starting.use(startDeletions({ db, nats, logger }))
  const tokenVerifier = withMachineTokens(
    await startTokenVerifier(config.issuers, logger),
    machineTokens,
  )
  const images = starting.use(
    new ImageAccess(config.workloads.images, config.workloads.template, logger),
  )
  const { ingressCertificate: certificateFiles } = config.workloads
  const ingressCertificate = starting.use(
    certificateFiles && new IngressCertificate(certificateFiles, logger),
  )
  const registries = starting.use(
    new RegistryConnections(
      publicAddresses(config.workloads.manifests.network.internalRanges),
      overrides.resolveHost,
    ),
  )
  const stopping = new AbortController()
  const keptLogs = new KeptLogs()
  starting.use(startKeepingLogs(db, kubernetes, keptLogs, logger))
  const context: DeployerContext = {
    config,
    db,
    kubernetes,
    accounts,
    agents: createClient(AgentService, transport),
    serviceToken,
    memberships,
    templates: new BuildTemplates(config.workloads.template),
    images,
    ingressCertificate,
    imageDigests: new ImageDigests(
      images,
      config.workloads.images.registryRealms,
      registries,
      logger,
    ),
    accountLimits: starting.use(followAccountLimits(config.accountLimits, logger)),
    eventWaiters: new EventWaiters(db),
    keptLogs,
    stopping: stopping.signal,
    failures: new FailureReader({ db, kubernetes, keptLogs, logger }),
    streams: createStreamQueue(config.limits.streams),
    logRate: new LogRate({
      bytesPerSecond: config.limits.logBytesPerSecond,
      burstBytes: config.limits.logBytes,
    }),
    waits: createWaitQueue(config.limits.waits),
    operations: createOperationQueue(config.limits.operations),
    logger,
    randomId: overrides.randomId ?? randomUUID,
    onStep: overrides.onStep ?? (() => {}),
  }
  starting.use(startStateWatcher(context))
  starting.use(startReconciler(context))
  const adoption = starting.use(startAdoption(context))
  const server = starting.use(
    await startRpcServer({
      grpcAddress: config.grpcAddress,
      connectAddress: config.connectAddress,
      opsAddress: config.opsAddress,
      certificate: config.rpcCertificate,
      reflection: config.grpcReflection,
      services: routes(context, { logger, tokenVerifier }),
      checks: {
        database: () => db.ping(),
        database_schema: schemaCheck(db, migrations),
        kubernetes: () => kubernetes.send({ method: 'GET', path: '/version', timeoutMs: 2_000 }),
        admission_policies: policyCheck(kubernetes, config.cluster),
        namespaces: adoption.check,
        ...(rpcCa && { rpc_ca: rpcCa.check }),
        ...(ingressCertificate && { ingress_certificate: ingressCertificate.check }),
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
    async [Symbol.asyncDispose]() {
      stopping.abort(serviceStopping())
      await running.disposeAsync()
    },
  }
}
