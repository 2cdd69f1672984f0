import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { DeploymentState } from '@slipway/proto/slipway/deployer/v1/deployment'
import type { DeploymentRefSchema } from '@slipway/proto/slipway/events/v1/event'
import { valueOf } from '@slipway/shared/enum-names'
import { appendEvent, type EventInput } from '@slipway/shared/events'
import type { RequestOrigin } from '@slipway/shared/rpc'
import type { Transaction } from 'kysely'

import type { DeploymentRow } from '../db/deployments.ts'
import { findRevision, type RevisionRow } from '../db/revisions.ts'
import type { Db, DeployerSchema } from '../db/tables.ts'
import type { DeploymentState as StateName } from '../domain/states.ts'

/** The deployment and revision that an event is about. */
export interface EventSubject {
  readonly deploymentId: string
  readonly accountId: string
  readonly agent: string
  readonly sourceAccountId: string
  readonly buildId: string
  readonly revision: number
  readonly k8sNamespace: string
}

/**
 * Returns the subject of events about a stored revision. `number` replaces its number, for a new
 * revision that copies it.
 */
export function subjectOf(
  deployment: DeploymentRow,
  revision: Pick<RevisionRow, 'revision' | 'build_id'>,
  number = revision.revision,
): EventSubject {
  return {
    deploymentId: deployment.id,
    accountId: deployment.account_id,
    agent: deployment.agent,
    sourceAccountId: deployment.source_account_id,
    buildId: revision.build_id,
    revision: number,
    k8sNamespace: deployment.k8s_namespace,
  }
}

/** Returns the subject of events about a deployment's live revision, or else its last one. */
export async function findSubject(db: Db, deployment: DeploymentRow): Promise<EventSubject> {
  const number = deployment.live_revision ?? deployment.last_revision
  const revision = await findRevision(db, deployment.id, number)
  return subjectOf(deployment, revision ?? { revision: number, build_id: '' })
}

/** An event of a deployment. */
export type DeploymentEvent =
  | {
      readonly kind: 'requested' | 'applied' | 'undeploy_requested' | 'undeployed'
    }
  | {
      readonly kind: 'ingest_token_rotated'
      /** Until when the former token is valid at most; undefined if it has ended. */
      readonly formerExpireTime?: Date | undefined
    }
  | { readonly kind: 'partial'; readonly errors: readonly string[] }
  | { readonly kind: 'failed'; readonly reason: string }
  | {
      readonly kind: 'ingestion_failed'
      readonly component: string
      /** Name of the run. */
      readonly run: string
      readonly reason: string
      readonly exitCode: number | null
    }
  | { readonly kind: 'state_changed'; readonly state: StateName; readonly reason: string }

/** Errors quote messages of the API server, which may be long, but events must stay small. */
const MAX_ERRORS = 100
const MAX_ERROR_LENGTH = 1_000

/** Appends an event to the outbox. It is published once the transaction has committed. */
export async function appendDeploymentEvent(
  trx: Transaction<DeployerSchema>,
  subject: EventSubject,
  event: DeploymentEvent,
  origin: RequestOrigin,
): Promise<void> {
  await appendEvent(trx, {
    accountId: subject.accountId,
    aggregateId: subject.deploymentId,
    kind: 'deployment',
    event: event.kind,
    payload: payloadOf(subject, event),
    requestId: origin.requestId,
    traceparent: origin.traceparent,
  })
}

function payloadOf(subject: EventSubject, event: DeploymentEvent): EventInput['payload'] {
  const deployment: MessageInitShape<typeof DeploymentRefSchema> = {
    agent: subject.agent,
    sourceAccountId: subject.sourceAccountId,
    buildId: subject.buildId,
    revision: subject.revision,
    k8sNamespace: subject.k8sNamespace,
  }
  switch (event.kind) {
    case 'requested':
      return { case: 'deploymentRequested', value: { deployment } }
    case 'applied':
      return { case: 'deploymentApplied', value: { deployment } }
    case 'partial': {
      const errors = event.errors
        .slice(0, MAX_ERRORS)
        .map((error) => error.slice(0, MAX_ERROR_LENGTH))
      return { case: 'deploymentPartial', value: { deployment, errors } }
    }
    case 'failed':
      return { case: 'deploymentFailed', value: { deployment, reason: event.reason } }
    case 'undeploy_requested':
      return { case: 'undeployRequested', value: { deployment } }
    case 'undeployed':
      return { case: 'undeployed', value: { deployment } }
    case 'ingest_token_rotated': {
      const formerExpireTime = event.formerExpireTime && timestampFromDate(event.formerExpireTime)
      const expiry = formerExpireTime && { formerExpireTime }
      return { case: 'ingestTokenRotated', value: { deployment, ...expiry } }
    }
    case 'ingestion_failed': {
      const { component, run, exitCode } = event
      const reason = event.reason.slice(0, MAX_ERROR_LENGTH)
      const code = exitCode === null ? {} : { exitCode }
      return { case: 'ingestionFailed', value: { deployment, component, run, reason, ...code } }
    }
    case 'state_changed':
      return {
        case: 'deploymentStateChanged',
        value: {
          deployment,
          state: valueOf(DeploymentState, event.state),
          reason: event.reason.slice(0, MAX_ERROR_LENGTH),
        },
      }
  }
}
