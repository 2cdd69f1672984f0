import type { RequestOrigin } from '@slipway/shared/rpc'

import type { NewDeployment } from '../db/attempts.ts'
import type { TokenGrace } from '../db/former-ingest-tokens.ts'
import type { ClusterObjectRow } from '../db/inventory.ts'
import type { NewRevision } from '../db/revisions.ts'
import type { Endpoint } from '../domain/endpoint.ts'
import type { ResourceResult } from '../domain/states.ts'
import type { DeploymentEvent, EventSubject } from '../events/deployment-events.ts'
import type { ComposedRevision } from '../plan/render-revision.ts'
import type { ObjectOutcome } from './apply-objects.ts'

/** The columns of a new revision that aren't in its intent. */
export type RevisionContent = Pick<
  NewRevision,
  | 'account'
  | 'created_by'
  | 'created_by_token_id'
  | 'created_by_token_name'
  | 'registry'
  | 'rolled_back_to'
  | 'selection'
  | 'source_account'
  | 'spec_content'
  | 'template'
  | 'version'
>

/** The work of an attempt; stored before the cluster is changed. */
export interface Intent {
  readonly subject: EventSubject
  readonly composed: ComposedRevision
  /** Set when the deployment doesn't exist yet. */
  readonly newDeployment?: NewDeployment | undefined
  /** Undefined when the revision already exists. */
  readonly newRevision: RevisionContent | undefined
  /** The id of the agent, if the catalog was asked for it. */
  readonly agentId?: string
  /** Published with the intent; undefined when nothing changes. */
  readonly event: DeploymentEvent | undefined
  /**
   * For a requested rotation: how long former ingest tokens stay valid at most. Otherwise, a token
   * that is replaced stays valid until the deployment is ready.
   */
  readonly tokenGrace?: TokenGrace
  readonly origin: RequestOrigin
  /** The user's id; undefined when the reconciler started the attempt. */
  readonly deployedBy: string | undefined
}

/** One attempt to execute an intent. */
export interface Attempt extends Intent {
  readonly attemptId: string
  /** Fires when the deployment's lock is lost: another process may then be working on it. */
  readonly signal: AbortSignal
}

/** The outcome of an apply. */
export interface ApplyOutcome {
  /** One result per object, in the order in which they were applied. */
  readonly resources: readonly ResourceResult[]
  /** `Kind/name: reason` of each rejected object, sorted. */
  readonly errors: readonly string[]
  /** Those that are reachable. */
  readonly serviceEndpoints: readonly Endpoint[]
  readonly outcomes: readonly ObjectOutcome[]
  readonly pruned: readonly ClusterObjectRow[]
  /** The size of all claims of each component in bytes, also of removed components. */
  readonly claimSizes: Readonly<Record<string, number>>
}
