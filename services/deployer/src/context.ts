import type { Client } from '@connectrpc/connect'
import type { BuildTemplates } from '@slipway/agent-spec'
import type { AccountService } from '@slipway/proto/slipway/catalog/v1/account_service'
import type { AgentService } from '@slipway/proto/slipway/catalog/v1/agent_service'
import type { CurrentAccountLimits } from '@slipway/shared/account-limits'
import type { ServiceTokenSource } from '@slipway/shared/auth'
import type { Database } from '@slipway/shared/db'
import type { FairQueue } from '@slipway/shared/fair-queue'
import type { Logger } from '@slipway/shared/logger'
import type { Memberships } from '@slipway/shared/memberships'

import type { IngressCertificate } from './access/ingress-certificate.ts'
import type { LogRate } from './access/log-rate.ts'
import type { Membership } from './access/membership.ts'
import type { KeptLogs } from './agent-logs/kept-logs.ts'
import type { DeployerConfig } from './config.ts'
import type { EventWaiters } from './db/event-waiters.ts'
import type { DeployerSchema } from './db/tables.ts'
import type { FailureReader } from './failures/failure-reader.ts'
import type { ImageAccess } from './images/image-access.ts'
import type { ImageDigests } from './images/image-digests.ts'
import type { KubernetesClient } from './kubernetes/client.ts'

/** The dependencies of the deployer's handlers and background work. */
export interface DeployerContext {
  readonly config: Pick<DeployerConfig, 'cluster' | 'workloads' | 'limits' | 'secretNameKey'>
  readonly db: Database<DeployerSchema>
  readonly kubernetes: KubernetesClient
  readonly accounts: Client<typeof AccountService>
  readonly agents: Client<typeof AgentService>
  readonly serviceToken: ServiceTokenSource
  readonly memberships: Memberships<Membership>
  /** The templates of builds. */
  readonly templates: BuildTemplates
  readonly images: ImageAccess
  /** Undefined if the deployer copies no certificate. */
  readonly ingressCertificate: IngressCertificate | undefined
  readonly imageDigests: ImageDigests
  readonly accountLimits: Pick<CurrentAccountLimits, 'of'>
  readonly streams: FairQueue
  readonly logRate: LogRate
  /** Where operations on deployments wait for their turn. */
  readonly operations: FairQueue
  readonly waits: FairQueue
  readonly eventWaiters: EventWaiters
  readonly failures: FailureReader
  readonly keptLogs: KeptLogs
  /**
   * Fires when the process begins to stop, with the error for callers. Waits and endless streams
   * then end.
   */
  readonly stopping: AbortSignal
  readonly logger: Logger
  /** Returns a new UUID. */
  readonly randomId: () => string
  /** Called after each step of an attempt; tests stop a process there. */
  readonly onStep: (step: ApplyStep) => Promise<void> | void
}

/** The steps of an attempt. The deployer must recover from a crash after each of them. */
export type ApplyStep =
  | 'intent_stored'
  | 'namespace_ready'
  | 'foundations_applied'
  | 'workloads_applied'
  | 'pruned'
  | 'result_stored'
  | 'undeploy_stored'
  | 'namespace_deleted'
