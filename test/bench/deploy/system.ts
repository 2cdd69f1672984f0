import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createClient, type CallOptions } from '@connectrpc/connect'
import { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'
import { AgentService } from '@slipway/proto/slipway/catalog/v1/agent_service'
import { DeploymentService } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import {
  createConnectUnaryTransport,
  createGrpcTransport,
  type RpcTransport,
} from '@slipway/shared/rpc'
import { freePorts, testDatabase, testIssuer, testNats } from '@slipway/testing'

import { meteredLine, type MeteredLine } from '../../support/metered-line.ts'
import { startMeasured, type Measured } from '../support/process.ts'

/** A deployer and a catalog as in production, on the cluster of the stack, with their clients. */
export interface DeployBench extends AsyncDisposable {
  readonly processes: Readonly<Record<'catalog' | 'deployer', Measured>>
  readonly account: string
  readonly options: CallOptions
  readonly agents: ReturnType<typeof agentClient>
  readonly deployments: ReturnType<typeof deploymentClient>
  /** A second replica, whose requests to the API server are counted. */
  readonly reader: {
    readonly deployments: ReturnType<typeof deploymentClient>
    readonly line: MeteredLine
  }
}

const agentClient = (transport: RpcTransport) => createClient(AgentService, transport)
const deploymentClient = (transport: RpcTransport) => createClient(DeploymentService, transport)

/** The bench deploys more agents in one account than the default limits allow. */
const LIMITS = { deployments: 10_000, pods: 20_000, cpu: 20_000, memory_bytes: '20Ti' }

/** Starts the services on the cluster in DEPLOYER_KUBECONFIG. */
export async function startDeployBench(): Promise<DeployBench> {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const issuer = stack.use(await testIssuer())
  const nats = stack.use(await testNats())
  const catalogDatabase = stack.use(await testDatabase({ migrations: {} }))
  const deployerDatabase = stack.use(await testDatabase({ migrations: {} }))
  const tokenFile = join(directory, 'token')
  await writeFile(tokenFile, await issuer.serviceToken('deployer'))
  const addressesOf = async () => {
    const [grpc, connect, ops] = await freePorts(3)
    return {
      GRPC_ADDRESS: `127.0.0.1:${grpc}`,
      CONNECT_ADDRESS: `127.0.0.1:${connect}`,
      OPS_ADDRESS: `127.0.0.1:${ops}`,
    }
  }
  const common = {
    AUTH_ISSUERS: issuer.issuersJson,
    NATS_URL: nats.url,
    MIGRATE_ON_START: 'true',
    LOG_LEVEL: 'info',
  }
  const catalogAddresses = await addressesOf()
  const catalog = stack.use(
    await startMeasured({
      script: 'services/catalog/src/main.ts',
      logFile: join(directory, 'catalog.log'),
      readyUrl: `http://${catalogAddresses.OPS_ADDRESS}/readyz`,
      env: {
        ...common,
        ...catalogAddresses,
        DATABASE_URL: catalogDatabase.url,
      },
    }),
  )
  const kubeconfig = process.env['DEPLOYER_KUBECONFIG'] ?? ''
  const limitsFile = join(directory, 'limits')
  await writeFile(limitsFile, JSON.stringify({ defaults: LIMITS }))
  const startDeployer = async (name: string, cluster: string) => {
    const addresses = await addressesOf()
    const measured = stack.use(
      await startMeasured({
        script: 'services/deployer/src/main.ts',
        logFile: join(directory, `${name}.log`),
        readyUrl: `http://${addresses.OPS_ADDRESS}/readyz`,
        env: {
          ...common,
          ...addresses,
          DATABASE_URL: deployerDatabase.url,
          CATALOG_ADDRESS: catalogAddresses.CONNECT_ADDRESS,
          SERVICE_TOKEN_FILE: tokenFile,
          KUBECONFIG: cluster,
          INGEST_URL: 'http://10.240.0.1:4318',
          SECRET_NAME_KEY: 'ab'.repeat(32),
          ACCOUNT_LIMITS_FILE: limitsFile,
        },
      }),
    )
    return { measured, address: addresses.GRPC_ADDRESS }
  }
  const deployer = await startDeployer('deployer', kubeconfig)
  const text = await readFile(kubeconfig, 'utf8')
  const server = /https:\/\/[^"\s]+/.exec(text)?.[0] ?? ''
  const line = stack.use(await meteredLine(server))
  const counted = join(directory, 'counted.kubeconfig')
  await writeFile(counted, text.replace(server, line.url), { mode: 0o600 })
  const reader = await startDeployer('reader', counted)
  const catalogTransport = stack.use(
    createConnectUnaryTransport([catalogAddresses.CONNECT_ADDRESS]),
  )
  const deployerTransport = stack.use(createGrpcTransport([deployer.address], [DeploymentService]))
  const readerTransport = stack.use(createGrpcTransport([reader.address], [DeploymentService]))
  const options = {
    headers: { authorization: `Bearer ${await issuer.userToken('bench')}` },
    timeoutMs: 60_000,
  }
  const { accounts } = await createClient(AccountService, catalogTransport).getProfile({}, options)
  const running = stack.move()
  return {
    processes: { catalog, deployer: deployer.measured },
    account: accounts[0]?.account?.name ?? '',
    options,
    agents: agentClient(catalogTransport),
    deployments: deploymentClient(deployerTransport),
    reader: { deployments: deploymentClient(readerTransport), line },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
