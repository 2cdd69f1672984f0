import type { ComponentKind, PreviousValues } from '@slipway/agent-spec'
import type { Generated, JSONColumnType } from 'kysely'

import type { Endpoint } from '../domain/endpoint.ts'
import type { SecretPlan } from '../domain/secret-plan.ts'
import type { DeploymentState, RevisionState } from '../domain/states.ts'

/** An agent's deployment in an account, live until it is undeployed. */
export interface DeploymentTable {
  id: string
  account_id: string
  agent: string
  /** The account whose agent it is; the same as account_id unless it is another one's. */
  source_account_id: string
  /** Name of that account; empty for the account's own agent. */
  source_account: string
  k8s_namespace: string
  state: Generated<DeploymentState>
  reason: Generated<string>
  last_revision: Generated<number>
  /** The revision that the cluster has; null until one was applied, at least in part. */
  live_revision: number | null
  /** The last revision that was ready once, which tells `degraded` from `progressing`. */
  ready_revision: number | null
  /** Set while an apply is under way; only the attempt that it names may write. */
  attempt_id: string | null
  /** The revision that the attempt applies. */
  attempt_revision: number | null
  telemetry_secret: string | null
  ingest_token_sha256: Buffer | null
  deploy_time: Generated<Date>
  deployed_by: string
  undeploy_time: Date | null
  /** When the namespace of an undeployed deployment was seen to be gone. */
  namespace_gone_time: Date | null
  create_time: Generated<Date>
}

/** What a deployment was told to be at one time. */
export interface RevisionTable {
  deployment_id: string
  revision: number
  state: RevisionState
  build_id: string
  version: string | null
  registry: string
  spec_content: string
  /** Name of the account at the time. */
  account: string
  /** As the deployment's. */
  source_account: string
  /** The filled template; holds no credential. */
  template: JSONColumnType<object>
  /** What the deploy chose beside the build; kept for later deploys until changed. */
  selection: JSONColumnType<PreviousValues>
  secrets: JSONColumnType<SecretPlan>
  /** HMAC of all that decides what the cluster gets. */
  fingerprint: Buffer
  /** Whether every object was accepted at some time, which makes it a target for a rollback. */
  fully_applied: Generated<boolean>
  errors: JSONColumnType<readonly string[], string | undefined, string>
  /** Where it answers. */
  endpoints: JSONColumnType<readonly Endpoint[], string | undefined, string>
  rolled_back_to: number | null
  created_by: string
  request_id: string
  traceparent: string
  create_time: Generated<Date>
  finish_time: Date | null
}

/** An object that was applied and not pruned: the deployment's inventory. */
export interface ClusterObjectTable {
  deployment_id: string
  api_version: string
  kind: string
  name: string
  component: string
  /** The last revision that had it. */
  revision: number
  uid: string
  resource_version: string
  generation: number
  managed_time: string
}

/** A pod as the watcher last saw it. */
export interface PodView {
  readonly name: string
  readonly phase: string
  readonly ready: boolean
  readonly restarts: number
  readonly reason: string
}

/** The live state of one component. */
export interface ComponentTable {
  deployment_id: string
  name: string
  kind: ComponentKind
  state: DeploymentState
  reason: string
  pods: JSONColumnType<readonly PodView[]>
}

/** Who has claimed an ingress host. */
export interface IngressHostTable {
  host: string
  deployment_id: string
}

/** The deployer's tables. */
export interface DeployerSchema {
  deployment: DeploymentTable
  revision: RevisionTable
  cluster_object: ClusterObjectTable
  component: ComponentTable
  ingress_host: IngressHostTable
}
