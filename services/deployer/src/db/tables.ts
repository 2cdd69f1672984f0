import type { ComponentKind, PreviousValues } from '@slipway/agent-spec'
import type { Generated, JSONColumnType, Kysely } from 'kysely'

import type { Endpoint } from '../domain/endpoint.ts'
import type { Footprint } from '../domain/footprint.ts'
import type { RunState, RunTrigger } from '../domain/ingestion-run.ts'
import type { PodExit } from '../domain/rollout.ts'
import type { SecretPlan } from '../domain/secret-plan.ts'
import type { DeploymentState, RevisionState } from '../domain/states.ts'

/** An agent's deployment in an account, live until it is undeployed. */
export interface DeploymentTable {
  id: string
  account_id: string
  agent: string
  /** The account that owns the agent; differs from account_id for another account's agent. */
  source_account_id: string
  /** Name of that account; empty for the account's own agent. */
  source_account: string
  /** Null for a deployment that was last deployed before this was stored. */
  agent_id: string | null
  k8s_namespace: string
  state: Generated<DeploymentState>
  reason: Generated<string>
  last_revision: Generated<number>
  /** The revision in the cluster; null until one was applied, at least partially. */
  live_revision: number | null
  /** The last revision that was ever ready, which distinguishes `degraded` from `progressing`. */
  ready_revision: number | null
  /** The current attempt; null when there is none. No other attempt may write. */
  attempt_id: string | null
  /** The revision that the current attempt applies. */
  attempt_revision: number | null
  telemetry_secret: string | null
  ingest_token_sha256: Buffer | null
  deploy_time: Generated<Date>
  deployed_by: string
  undeploy_time: Date | null
  /** When the namespace of an undeployed deployment was found to be deleted. */
  namespace_gone_time: Date | null
  /** What it occupies in the cluster; null if an older release deployed it. */
  footprint: JSONColumnType<Footprint, string | undefined, string> | null
  /** Components of the ingestions whose schedules are suspended. */
  suspended_ingestions: JSONColumnType<readonly string[], string | undefined, string>
  create_time: Generated<Date>
}

/** A configuration that a deployment has or had. */
export interface RevisionTable {
  deployment_id: string
  revision: number
  state: RevisionState
  build_id: string
  version: string | null
  registry: string
  spec_content: string
  /** Name of the account when the revision was created. */
  account: string
  /** As in the deployment's `source_account`. */
  source_account: string
  /** The filled template, without credential values. */
  template: JSONColumnType<object>
  /**
   * The deploy's settings other than the build. Later deploys keep them unless they change them.
   */
  selection: JSONColumnType<PreviousValues>
  secrets: JSONColumnType<SecretPlan>
  /** HMAC of everything that determines the revision's objects. */
  fingerprint: Buffer
  /** Whether the cluster has accepted all objects at least once, so that a rollback can use it. */
  fully_applied: Generated<boolean>
  errors: JSONColumnType<readonly string[], string | undefined, string>
  endpoints: JSONColumnType<readonly Endpoint[], string | undefined, string>
  rolled_back_to: number | null
  created_by: string
  /** The machine token with which that user created it; null if it was none. */
  created_by_token_id: string | null
  created_by_token_name: string | null
  request_id: string
  traceparent: string
  create_time: Generated<Date>
  finish_time: Date | null
  /** False for a revision of an older release, which didn't record the three columns below. */
  records_readiness: Generated<boolean>
  /** When the deployment first became ready with the revision. */
  ready_time: Date | null
  /** Since when it is ready now; null if it isn't. */
  ready_since: Date | null
  /** For how long it was ready before `ready_since`, in milliseconds. */
  ready_ms: Generated<string>
  /** Why the deployment is not ready with it, or was not when it was replaced; empty if it was. */
  reason: Generated<string>
}

/** An object of the inventory: applied, or about to be, and not pruned. */
export interface ClusterObjectTable {
  deployment_id: string
  api_version: string
  kind: string
  name: string
  component: string
  /** The last revision that contains it. */
  revision: number
  uid: string
  resource_version: string
  generation: number
  managed_time: string
}

/** A pod as the state watcher last saw it. */
export interface PodView {
  readonly name: string
  readonly phase: string
  readonly ready: boolean
  readonly restarts: number
  readonly reason: string
  /** Earlier releases don't store it. */
  readonly lastExit?: PodExit
  /** Whether its template is that of an earlier revision; absent if not. */
  readonly isFormer?: true
}

/** The state of one component. */
export interface ComponentTable {
  deployment_id: string
  name: string
  kind: ComponentKind
  state: DeploymentState
  reason: string
  pods: JSONColumnType<readonly PodView[]>
}

/** A run of an ingestion: a Job, which may no longer exist. */
export interface IngestionRunTable {
  deployment_id: string
  job_uid: string
  component: string
  /** Name of the Job. */
  name: string
  trigger: RunTrigger
  state: RunState
  reason: Generated<string>
  /** The revision that was live when the run was found. */
  revision: number
  create_time: Date
  start_time: Date | null
  end_time: Date | null
  exit_code: number | null
  attempts: Generated<number>
  /** Name of its last pod; empty if it has had none. */
  pod: Generated<string>
}

/** An ingest token that was replaced and is still valid. */
export interface FormerIngestTokenTable {
  token_sha256: Buffer
  deployment_id: string
  replace_time: Generated<Date>
  expire_time: Date
  /** Whether it ends earlier if the deployment becomes ready with the new token. */
  ends_when_ready: boolean
}

/** An ingress host and the deployment that has claimed it. */
export interface IngressHostTable {
  host: string
  deployment_id: string
}

/** An agent or account that is being deleted, so that no deployment may be created. */
export interface DeletionTable {
  /** The id of the agent or account. */
  id: string
  held_until: Date
}

/** The deployer's tables. */
export interface DeployerSchema {
  deployment: DeploymentTable
  revision: RevisionTable
  cluster_object: ClusterObjectTable
  component: ComponentTable
  ingestion_run: IngestionRunTable
  former_ingest_token: FormerIngestTokenTable
  ingress_host: IngressHostTable
  deletion: DeletionTable
}

/** The deployer's database, or a transaction on it. */
export type Db = Kysely<DeployerSchema>
