import { createClient, type Client, type Transport } from '@connectrpc/connect'
import { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'
import { BrowserSessionService } from '@slipway/proto/slipway/catalog/v1/browser_session_service'
import { MachineTokenService } from '@slipway/proto/slipway/catalog/v1/machine_token_service'
import { AgentService } from '@slipway/proto/slipway/catalog/v1/agent_service'
import { LogService } from '@slipway/proto/slipway/deployer/v1/agent_logs'
import { DeploymentService } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { IngestionService } from '@slipway/proto/slipway/deployer/v1/ingestion_service'
import { WorkloadService } from '@slipway/proto/slipway/deployer/v1/workload_service'
import { TraceService } from '@slipway/proto/slipway/observability/v1/trace_service'
import {
  createConnectUnaryTransport,
  createGrpcTransport,
  type TrustedCa,
} from '@slipway/shared/rpc'

/** Clients of the services behind the gateway. Disposing them closes their channels. */
export interface Clients extends Disposable {
  /** The channel to the catalog. */
  readonly catalog: Transport
  readonly accounts: Client<typeof AccountService>
  readonly machineTokens: Client<typeof MachineTokenService>
  readonly browserSessions: Client<typeof BrowserSessionService>
  readonly agents: Client<typeof AgentService>
  readonly deployments: Client<typeof DeploymentService>
  readonly workloads: Client<typeof WorkloadService>
  readonly logs: Client<typeof LogService>
  readonly ingestions: Client<typeof IngestionService>
  readonly traces: Client<typeof TraceService>
}

/** Where the services are. */
export interface BackendAddresses {
  /** host:port of each service's replicas: Connect for the catalog, gRPC for the others. */
  readonly catalogAddresses: readonly string[]
  readonly deployerAddresses: readonly string[]
  readonly observabilityAddresses: readonly string[]
}

/** Opens one channel to each service, by TLS if there are authorities to trust. */
export function createClients(config: BackendAddresses, rpcCa?: TrustedCa): Clients {
  const channels = new DisposableStack()
  const catalog = channels.use(createConnectUnaryTransport(config.catalogAddresses, rpcCa))
  const deployer = channels.use(
    createGrpcTransport(
      config.deployerAddresses,
      [DeploymentService, LogService, WorkloadService, IngestionService],
      rpcCa,
    ),
  )
  const observability = channels.use(
    createGrpcTransport(config.observabilityAddresses, [TraceService], rpcCa),
  )
  return {
    catalog,
    accounts: createClient(AccountService, catalog),
    machineTokens: createClient(MachineTokenService, catalog),
    browserSessions: createClient(BrowserSessionService, catalog),
    agents: createClient(AgentService, catalog),
    deployments: createClient(DeploymentService, deployer),
    workloads: createClient(WorkloadService, deployer),
    logs: createClient(LogService, deployer),
    ingestions: createClient(IngestionService, deployer),
    traces: createClient(TraceService, observability),
    [Symbol.dispose]: () => channels.dispose(),
  }
}
