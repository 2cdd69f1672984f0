import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createClient, type CallOptions, type Client } from '@connectrpc/connect'
import { startCatalog } from '@slipway/catalog'
import { readConfig as readCatalogConfig } from '@slipway/catalog/config'
import { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'
import { AgentService } from '@slipway/proto/slipway/catalog/v1/agent_service'
import { DeploymentService } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { IngestionService } from '@slipway/proto/slipway/deployer/v1/ingestion_service'
import { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'
import { createDatabase, type Database } from '@slipway/shared/db'
import { createLogger } from '@slipway/shared/logger'
import { createGrpcTransport, readRemoteError, type RpcTransport } from '@slipway/shared/rpc'
import {
  testDatabase,
  testIssuer,
  testNats,
  type TestIssuer,
  type TestNats,
} from '@slipway/testing'

import { readConfig } from '../../src/config.ts'
import { migrations } from '../../src/db/migrations/index.ts'
import type { DeployerSchema } from '../../src/db/tables.ts'
import { KubernetesClient } from '../../src/kubernetes/client.ts'
import { openCluster } from '../../src/kubernetes/cluster-access.ts'
import { deleteObject } from '../../src/kubernetes/delete.ts'
import { startDeployer, type DeployerOverrides, type DeployerProcess } from '../../src/service.ts'

/** A running deployer with everything that it needs, and clients of it. */
export interface TestDeployer extends AsyncDisposable {
  readonly deployments: ReturnType<typeof deploymentClient>
  readonly workloads: ReturnType<typeof workloadClient>
  readonly ingestions: Client<typeof IngestionService>
  readonly agents: ReturnType<typeof agentClient>
  readonly accounts: Client<typeof AccountService>
  readonly db: Database<DeployerSchema>
  readonly databaseUrl: string
  readonly nats: TestNats
  readonly issuer: TestIssuer
  /** A client of the cluster with administrator permissions. */
  readonly cluster: KubernetesClient
  /** The deployer's settings, e.g. to start another replica. */
  readonly env: Readonly<Record<string, string>>
  readonly process: DeployerProcess
  as(subject: string): Promise<CallOptions>
  asService(name: string): Promise<CallOptions>
  /** Signs a user in. */
  signIn(subject: string): Promise<Person>
  /** Starts another replica with the same database and cluster; `env` changes its settings. */
  startReplica(
    overrides?: DeployerOverrides,
    env?: Readonly<Record<string, string>>,
  ): Promise<DeployerProcess>
  clientsOf(process: Pick<DeployerProcess, 'grpcAddress'>): {
    deployments: ReturnType<typeof deploymentClient>
    workloads: ReturnType<typeof workloadClient>
    ingestions: Client<typeof IngestionService>
  }
}

/** A signed-in user with their personal account. */
export interface Person {
  readonly userId: string
  readonly account: string
  readonly accountId: string
  readonly options: CallOptions
}

/**
 * Starts a deployer with its own catalog, databases, NATS and issuer, on the cluster of the test
 * run.
 */
export async function startTestDeployer(
  env: Record<string, string> = {},
  overrides: DeployerOverrides = {},
): Promise<TestDeployer> {
  const stack = new AsyncDisposableStack()
  try {
    const issuer = stack.use(await testIssuer())
    const nats = stack.use(await testNats())
    const catalogDatabase = stack.use(await testDatabase({ migrations: {} }))
    const catalog = stack.use(
      await startCatalog(
        readCatalogConfig({
          GRPC_ADDRESS: '127.0.0.1:0',
          CONNECT_ADDRESS: '127.0.0.1:0',
          OPS_ADDRESS: '127.0.0.1:0',
          DATABASE_URL: catalogDatabase.url,
          MIGRATE_ON_START: 'true',
          NATS_URL: nats.url,
          AUTH_ISSUERS: issuer.issuersJson,
        }),
        { logger: createLogger('catalog', 'silent') },
      ),
    )
    const directory = await mkdtemp(join(tmpdir(), 'slipway-deployer-'))
    stack.defer(() => rm(directory, { recursive: true, force: true }))
    const tokenFile = join(directory, 'token')
    await writeFile(tokenFile, await issuer.serviceToken('deployer'))
    const database = stack.use(await testDatabase({ migrations }))
    const db = stack.use(
      createDatabase<DeployerSchema>({ url: database.url, applicationName: 'deployer test' }),
    )
    const fullEnv = {
      GRPC_ADDRESS: '127.0.0.1:0',
      CONNECT_ADDRESS: '127.0.0.1:0',
      OPS_ADDRESS: '127.0.0.1:0',
      DATABASE_URL: database.url,
      NATS_URL: nats.url,
      AUTH_ISSUERS: issuer.issuersJson,
      SERVICE_TOKEN_FILE: tokenFile,
      CATALOG_ADDRESS: catalog.connectAddress,
      KUBECONFIG: requireEnv('DEPLOYER_KUBECONFIG'),
      INGEST_URL: 'http://10.240.0.1:4318',
      // The registry of the pause image, which nodes pull from the stack's registry.
      INTERNAL_REGISTRIES: 'slipway.local',
      // Required if a test sets INGRESS_DOMAIN.
      NETWORK_INGRESS_PEERS: '[{"ipBlock":{"cidr":"10.240.0.1/32"}}]',
      SECRET_NAME_KEY: '5f'.repeat(32),
      // A busy cluster takes long to delete a namespace.
      TERMINATING_WAIT_MS: '200000',
      ...env,
    }
    const cluster = stack.use(
      new KubernetesClient(await openCluster(requireEnv('KUBECONFIG')), 10_000),
    )
    // Deferred before the replicas start, so that it runs after they have stopped.
    stack.defer(() => removeNamespaces(db, cluster))
    const logger = createLogger('deployer', process.env['TEST_LOG'] ? 'info' : 'silent')
    const startReplica: TestDeployer['startReplica'] = async (more = {}, changed = {}) =>
      stack.use(
        await startDeployer(readConfig({ ...fullEnv, ...changed }), {
          logger,
          ...overrides,
          ...more,
        }),
      )
    const deployer = await startReplica()
    const clientsOf = (running: Pick<DeployerProcess, 'grpcAddress'>) => {
      const transport = stack.use(
        createGrpcTransport(
          [running.grpcAddress],
          [DeploymentService, WorkloadService, IngestionService],
        ),
      )
      return {
        deployments: deploymentClient(transport),
        workloads: workloadClient(transport),
        ingestions: createClient(IngestionService, transport),
      }
    }
    const catalogTransport = stack.use(
      createGrpcTransport([catalog.grpcAddress], [AccountService, AgentService]),
    )
    const accounts = createClient(AccountService, catalogTransport)
    const as = async (subject: string) => authorization(await issuer.userToken(subject))
    return {
      ...clientsOf(deployer),
      agents: agentClient(catalogTransport),
      accounts,
      db,
      databaseUrl: database.url,
      nats,
      issuer,
      cluster,
      env: fullEnv,
      process: deployer,
      as,
      asService: async (name) => authorization(await issuer.serviceToken(name)),
      async signIn(subject) {
        const options = await as(subject)
        const { user, accounts: own } = await accounts.getProfile({}, options)
        const personal = own[0]?.account
        return {
          userId: user?.id ?? '',
          account: personal?.name ?? '',
          accountId: personal?.id ?? '',
          options,
        }
      },
      startReplica,
      clientsOf,
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

/** Returns the reason that a call failed for, or `won` when it succeeded. */
export async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'won'
  } catch (error) {
    const { reason, message } = readRemoteError(error)
    return reason ?? message
  }
}

/** Returns a variable that `./dev test` sets. */
export function requireEnv(name: string): string {
  const value = process.env[name]
  if (!value)
    throw new Error(`${name} is not set: run the tests with \`./dev test\`, which starts a cluster`)
  return value
}

async function removeNamespaces(
  db: Database<DeployerSchema>,
  cluster: KubernetesClient,
): Promise<void> {
  const rows = await db.selectFrom('deployment').select('k8s_namespace').distinct().execute()
  for (const { k8s_namespace: name } of rows) {
    await deleteObject(cluster, { apiVersion: 'v1', kind: 'Namespace', namespace: '', name })
  }
}

function authorization(token: string): CallOptions {
  return { headers: { authorization: `Bearer ${token}` } }
}

function deploymentClient(transport: RpcTransport) {
  return createClient(DeploymentService, transport)
}

function workloadClient(transport: RpcTransport) {
  return createClient(WorkloadService, transport)
}

function agentClient(transport: RpcTransport) {
  return createClient(AgentService, transport)
}
