import { create, fromBinary } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { ServiceImpl } from '@connectrpc/connect'
import { DeploymentState } from '@slipway/proto/slipway/deployer/v1/deployment'
import { DeploymentEventType } from '@slipway/proto/slipway/deployer/v1/deployment_event'
import type { DeploymentService } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import {
  WatchDeploymentResponseSchema,
  type WatchDeploymentResponse,
} from '@slipway/proto/slipway/deployer/v1/watch_deployment'
import {
  EventSchema,
  type Event,
  type IngestionFailed,
} from '@slipway/proto/slipway/events/v1/event'
import { valueOf } from '@slipway/shared/enum-names'
import { Violations } from '@slipway/shared/errors'

import { watchAccess } from '../access/access-signal.ts'
import { callOwner } from '../access/call-queues.ts'
import type { DeployerContext } from '../context.ts'
import { requireLiveDeployment, type DeploymentRow } from '../db/deployments.ts'
import {
  hasEventsAfter,
  lastEventSequence,
  listEventsAfter,
  type OutboxEventRow,
} from '../db/outbox-events.ts'
import { findRevision } from '../db/revisions.ts'

type EventCase = NonNullable<Event['payload']['case']>

const EVENT_TYPES: Partial<Readonly<Record<EventCase, DeploymentEventType>>> = {
  deploymentRequested: DeploymentEventType.REQUESTED,
  deploymentApplied: DeploymentEventType.APPLIED,
  deploymentPartial: DeploymentEventType.PARTIAL,
  deploymentFailed: DeploymentEventType.FAILED,
  deploymentStateChanged: DeploymentEventType.STATE_CHANGED,
  undeployRequested: DeploymentEventType.UNDEPLOY_REQUESTED,
  undeployed: DeploymentEventType.UNDEPLOYED,
  ingestTokenRotated: DeploymentEventType.INGEST_TOKEN_ROTATED,
  ingestionFailed: DeploymentEventType.INGESTION_FAILED,
}

/** Streams a deployment's state and then its events. */
export function watchDeployment(
  context: DeployerContext,
): ServiceImpl<typeof DeploymentService>['watchDeployment'] {
  return async function* ({ account, name, afterSequence, afterDeploymentId }, call) {
    const after = afterSequence === undefined ? undefined : Number(afterSequence)
    new Violations()
      .requireFilled({ account, name })
      .requireWithin('after_sequence', after ?? 0, 0, Number.MAX_SAFE_INTEGER)
      .throwIfAny()
    const { accountId } = await context.memberships.require(call, account)
    const { db } = context
    using _slot = context.streams.take(callOwner(call, accountId))
    const { id } = await requireLiveDeployment(db, accountId, name)
    using access = watchAccess(context.memberships, call, accountId)
    const signal = AbortSignal.any([access.signal, context.stopping])
    const isSame = afterDeploymentId === '' || afterDeploymentId === id
    let last: number
    if (after !== undefined && isSame && (await hasEventsAfter(db, id, after))) {
      last = after
      // The next event may take a long time, so this shows the caller that the stream has started.
      yield create(WatchDeploymentResponseSchema, {
        sequence: BigInt(last),
        type: DeploymentEventType.RESUMED,
        deploymentId: id,
      })
    } else {
      // Read before the snapshot, so that an event in between is repeated rather than lost.
      last = await lastEventSequence(db, id)
      yield await takeSnapshot(context, await requireLiveDeployment(db, accountId, name), last)
    }
    for (;;) {
      for (const row of await listEventsAfter(db, id, last)) {
        last = row.sequence
        const message = toMessage(id, row)
        yield message
        if (message.type === DeploymentEventType.UNDEPLOYED) return
      }
      await context.eventWaiters.waitForChange(id, { sequence: last }, signal)
    }
  }
}

async function takeSnapshot(
  { db }: DeployerContext,
  deployment: DeploymentRow,
  sequence: number,
): Promise<WatchDeploymentResponse> {
  const number = deployment.live_revision
  const revision = number === null ? undefined : await findRevision(db, deployment.id, number)
  return create(WatchDeploymentResponseSchema, {
    sequence: BigInt(sequence),
    deploymentId: deployment.id,
    commitTime: timestampFromDate(deployment.deploy_time),
    type: DeploymentEventType.SNAPSHOT,
    state: valueOf(DeploymentState, deployment.state),
    reason: deployment.reason,
    revision: number ?? 0,
    buildId: revision?.build_id ?? '',
  })
}

function toMessage(
  deploymentId: string,
  { sequence, payload }: OutboxEventRow,
): WatchDeploymentResponse {
  const { commitTime, payload: event } = fromBinary(EventSchema, payload)
  const value: object = event.value ?? {}
  const ref =
    'deployment' in value
      ? (value.deployment as { revision?: number; buildId?: string } | undefined)
      : undefined
  return create(WatchDeploymentResponseSchema, {
    sequence: BigInt(sequence),
    deploymentId,
    ...(event.case && { type: EVENT_TYPES[event.case] ?? DeploymentEventType.UNSPECIFIED }),
    revision: ref?.revision ?? 0,
    buildId: ref?.buildId ?? '',
    ...(commitTime && { commitTime }),
    ...(event.case === 'deploymentStateChanged' && { state: event.value.state }),
    ...('reason' in value && typeof value.reason === 'string' && { reason: value.reason }),
    ...(event.case === 'ingestionFailed' && { reason: failureOf(event.value) }),
    ...(event.case === 'deploymentPartial' && { errors: event.value.errors }),
  })
}

function failureOf({ component, run, reason }: IngestionFailed): string {
  return `${component}: the run ${run} failed: ${reason}`
}
