import { transaction } from '@slipway/shared/db'
import { Conflict, FailedPrecondition, Unavailable } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'
import { insertDeployment, storeAttempt, type AttemptColumns } from '../db/attempts.ts'
import { refuseDuringDeletion } from '../db/deletions.ts'
import { claimHosts } from '../db/hosts.ts'
import { announceClusterObjects } from '../db/inventory.ts'
import { deleteGoneDeployments, deleteOldRevisions } from '../db/retention.ts'
import {
  abandonRevisions,
  insertRevision,
  replanRevision,
  type NewRevision,
} from '../db/revisions.ts'
import { appendDeploymentEvent } from '../events/deployment-events.ts'
import { applyRevision, wavesOf } from './apply-revision.ts'
import { failAttempt, storeOutcome } from './attempt-result.ts'
import { plannedObject } from './planned-object.ts'
import { retireIngestToken } from './retire-ingest-token.ts'
import { takeQuota } from './take-quota.ts'
import type { ApplyOutcome, Attempt, Intent, RevisionContent } from './intent.ts'

const ABANDONED = 'applying the revision was interrupted, and a later deploy replaced it'

/** When an intent was stored. */
interface StoredIntent {
  /** When a user last requested a deploy. */
  readonly deployTime: Date
  /** Until when the replaced ingest token is valid at most; undefined if it isn't. */
  readonly formerExpireTime: Date | undefined
}

/** The result of an attempt. */
export interface AttemptResult extends StoredIntent, ApplyOutcome {}

/**
 * Stores an intent and executes it as a new attempt. `lockSignal` fires when the deployment's lock
 * is lost.
 */
export async function executeAttempt(
  context: DeployerContext,
  intent: Intent,
  lockSignal: AbortSignal,
): Promise<AttemptResult> {
  const attempt = { ...intent, attemptId: context.randomId(), signal: lockSignal }
  const stored = await storeIntent(context, attempt)
  return { ...stored, ...(await runAttempt(context, attempt)) }
}

/**
 * Stores an intent: the revision, the objects to apply, the claimed hosts and the event. Throws
 * Conflict `host_taken` when another deployment has one of the hosts, or `being_deleted`, and
 * FailedPrecondition `quota_exceeded`.
 */
async function storeIntent(context: DeployerContext, intent: Attempt): Promise<StoredIntent> {
  const { subject, composed, newDeployment: creation, newRevision, deployedBy } = intent
  const { deploymentId, revision } = subject
  const stored = await transaction(context.db, async (trx) => {
    if (creation) {
      await refuseDuringDeletion(trx, creation)
      await deleteGoneDeployments(trx, creation.account_id)
    }
    const formerExpireTime = creation ? undefined : await retireIngestToken(trx, intent)
    const columns: AttemptColumns = {
      attempt_id: intent.attemptId,
      attempt_revision: revision,
      ...(deployedBy !== undefined && { deployed_by: deployedBy }),
      ...(intent.agentId && { agent_id: intent.agentId }),
      ...(newRevision && {
        last_revision: revision,
        source_account: newRevision.source_account,
        footprint: JSON.stringify(await takeQuota(context, trx, intent)),
      }),
      telemetry_secret: composed.telemetrySecret ?? null,
      ...(composed.newTokenSha256 && { ingest_token_sha256: composed.newTokenSha256 }),
      ...(composed.telemetrySecret === undefined && { ingest_token_sha256: null }),
    }
    const deployTime = await (creation
      ? insertDeployment(trx, creation, columns)
      : storeAttempt(trx, deploymentId, columns))
    for (const abandoned of creation ? [] : await abandonRevisions(trx, deploymentId, revision)) {
      const event = { kind: 'failed', reason: ABANDONED } as const
      await appendDeploymentEvent(trx, { ...subject, ...abandoned }, event, intent.origin)
    }
    if (newRevision) {
      await insertRevision(trx, revisionRow(intent, newRevision))
      const { maxRevisions } = context.config.limits
      await deleteOldRevisions(trx, deploymentId, { last: revision, kept: maxRevisions })
    } else await replanRevision(trx, deploymentId, revision, composed.plan, composed.fingerprint)
    const planned = wavesOf({ composed }).flat().map(plannedObject)
    await announceClusterObjects(trx, deploymentId, revision, planned)
    const { hosts } = composed
    const hasHosts = hosts.length > 0 || creation === undefined
    if (hasHosts && !(await claimHosts(trx, deploymentId, hosts))) {
      throw new Conflict(
        'host_taken',
        'another deployment already uses a host name that this deployment needs',
      )
    }
    const event =
      intent.event?.kind === 'ingest_token_rotated'
        ? { ...intent.event, formerExpireTime }
        : intent.event
    if (event) await appendDeploymentEvent(trx, subject, event, intent.origin)
    return { deployTime, formerExpireTime }
  })
  await context.onStep('intent_stored')
  return stored
}

function revisionRow({ subject, composed, origin }: Intent, content: RevisionContent): NewRevision {
  return {
    ...content,
    deployment_id: subject.deploymentId,
    revision: subject.revision,
    state: 'applying',
    records_readiness: true,
    build_id: subject.buildId,
    secrets: JSON.stringify(composed.plan),
    fingerprint: composed.fingerprint,
    request_id: origin.requestId,
    traceparent: origin.traceparent,
  }
}

/** Applies the intent and stores the result with its event. */
async function runAttempt(context: DeployerContext, attempt: Attempt): Promise<ApplyOutcome> {
  let outcome: ApplyOutcome
  try {
    outcome = await applyRevision(context, attempt)
  } catch (error) {
    // When the API server is down or the lock is lost, the reconciler finishes the attempt later.
    if (!(error instanceof Unavailable) && !attempt.signal.aborted) {
      const isRefused = error instanceof FailedPrecondition
      const reason = isRefused ? error.message : 'the cluster rejected the namespace'
      // Without the line, an operator would learn of it from users only.
      if (isRefused) context.logger.error({ err: error.cause, reason }, 'namespace_refused')
      await failAttempt(context, attempt, reason)
    }
    throw error
  }
  await storeOutcome(context, attempt, outcome)
  await context.onStep('result_stored')
  return outcome
}
