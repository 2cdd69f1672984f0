import type { RequestOrigin } from '@slipway/shared/rpc'

import type { ClusterObjectRow } from '../db/inventory.ts'
import type { NewRevision } from '../db/revisions.ts'
import type { ResourceResult } from '../domain/states.ts'
import type { DeploymentEvent, EventSubject } from '../events.ts'
import type { ComposedDeployment } from '../plan/compose.ts'
import type { ObjectOutcome } from './apply-objects.ts'

/** What a new revision is beside what its intent says already. */
export type RevisionContent = Pick<
  NewRevision,
  | 'account'
  | 'created_by'
  | 'registry'
  | 'rolled_back_to'
  | 'selection'
  | 'source_account'
  | 'spec_content'
  | 'template'
  | 'version'
>

/** What is stored before the cluster is touched. */
export interface Intent {
  readonly subject: EventSubject
  readonly composed: ComposedDeployment
  /** Undefined when the revision is there already. */
  readonly newRevision: RevisionContent | undefined
  /** Told with it; undefined when it is nothing new. */
  readonly event: DeploymentEvent | undefined
  readonly origin: RequestOrigin
  /** Undefined when nobody did, i.e. the reconciler. */
  readonly deployedBy: string | undefined
}

/** One apply of one revision. */
export interface Attempt {
  readonly attemptId: string
  readonly revision: number
  readonly composed: ComposedDeployment
  /** Fires when the deployment's lock is lost: another process may be at work then. */
  readonly signal: AbortSignal
}

/** What an apply did to the cluster. */
export interface ApplyOutcome {
  /** Object by object, in the order of applying. */
  readonly results: readonly ResourceResult[]
  readonly outcomes: readonly ObjectOutcome[]
  readonly pruned: readonly ClusterObjectRow[]
}
