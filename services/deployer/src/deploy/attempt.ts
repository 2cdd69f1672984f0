import { transaction } from '@slipway/shared/db'
import { Conflict, Unavailable } from '@slipway/shared/errors'
import type { RequestOrigin } from '@slipway/shared/rpc'
import type { Insertable } from 'kysely'

import type { DeployerContext } from '../context.ts'
import {
  insertDeployment,
  lockAttempt,
  touchDeployTime,
  updateDeployment,
  type NewDeployment,
} from '../db/deployments.ts'
import { claimHosts } from '../db/hosts.ts'
import { announceClusterObjects, deleteClusterObject, saveClusterObjects } from '../db/inventory.ts'
import { abandonRevisions, finishRevision, insertRevision, supersedeOthers } from '../db/revisions.ts'
import type { RevisionTable } from '../db/tables.ts'
import { errorsOf, type ResourceResult } from '../domain/states.ts'
import { appendDeploymentEvent, type EventSubject } from '../events.ts'
import { applyRevision, wavesOf, type ApplyOutcome, type Attempt } from './apply-revision.ts'
import type { ComposedDeployment } from './compose.ts'

const ABANDONED = 'its apply was interrupted, and another deploy came first'

/** What is stored before the cluster is touched. */
export interface Intent {
  readonly subject: EventSubject
  readonly composed: ComposedDeployment
  /** Undefined when the revision is there already. */
  readonly newRevision: Insertable<RevisionTable> | undefined
  readonly origin: RequestOrigin
  readonly deployedBy: string
}

/** How an attempt ended. */
export interface AttemptResult {
  readonly results: readonly ResourceResult[]
  readonly errors: readonly string[]
}

/**
 * Stores the intent: the revision, what the inventory may get, who has which host, and the event. Returns the time of
 * that.
 */
export async function storeIntent(
  services: DeployerContext,
  intent: Intent,
  attemptId: string,
  creation?: NewDeployment,
): Promise<Date> {
  const { subject, composed, newRevision } = intent
  const time = await transaction(services.db, async (trx) => {
    if (creation) await insertDeployment(trx, creation)
    await updateDeployment(trx, subject.deploymentId, {
      attempt_id: attemptId,
      ...(newRevision && { last_revision: subject.revision, deployed_by: intent.deployedBy }),
      ...(newRevision && { source_account: newRevision.source_account }),
      telemetry_secret: composed.telemetrySecret ?? null,
      ...(composed.newTokenSha256 && { ingest_token_sha256: composed.newTokenSha256 }),
      ...(composed.telemetrySecret === undefined && { ingest_token_sha256: null }),
    })
    for (const revision of await abandonRevisions(trx, subject.deploymentId)) {
      await appendDeploymentEvent(
        trx,
        { ...subject, ...revision },
        { kind: 'failed', reason: ABANDONED },
        intent.origin,
      )
    }
    if (newRevision) await insertRevision(trx, newRevision)
    const [foundations, workloads] = wavesOf({ composed })
    const objects = [...foundations, ...workloads].map(({ component, object }) => ({
      component,
      apiVersion: object.apiVersion,
      kind: object.kind,
      name: object.metadata.name,
    }))
    await announceClusterObjects(trx, subject.deploymentId, subject.revision, objects)
    if (!(await claimHosts(trx, subject.deploymentId, composed.rendered.hosts))) {
      throw new Conflict('host_taken', 'a host name of this deployment belongs to another one')
    }
    const now = await touchDeployTime(trx, subject.deploymentId)
    if (newRevision) await appendDeploymentEvent(trx, subject, { kind: 'requested' }, intent.origin)
    return now
  })
  await services.onStep('intent_stored')
  return time
}

/** Applies what the intent says and stores the result, with its event, in one transaction. */
export async function runAttempt(services: DeployerContext, intent: Intent, attempt: Attempt): Promise<AttemptResult> {
  let outcome: ApplyOutcome
  try {
    outcome = await applyRevision(services, attempt)
  } catch (error) {
    await storeFailure(services, intent, attempt, error)
    throw error
  }
  const errors = errorsOf(outcome.results)
  await storeOutcome(services, intent, attempt, outcome, errors)
  await services.onStep('result_stored')
  return { results: outcome.results, errors }
}

async function storeOutcome(
  services: DeployerContext,
  { subject, newRevision, origin }: Intent,
  { attemptId, revision }: Attempt,
  outcome: ApplyOutcome,
  errors: readonly string[],
): Promise<void> {
  const { deploymentId } = subject
  const state = errors.length === 0 ? 'applied' : 'partial'
  const changesPods = outcome.outcomes.some(
    ({ result }) => ['Deployment', 'StatefulSet', 'Job'].includes(result.kind) && result.status !== 'unchanged',
  )
  await transaction(services.db, async (trx) => {
    if (!(await lockAttempt(trx, deploymentId, attemptId))) {
      throw new Unavailable('attempt_superseded', 'Another operation on this agent has taken over. Please try again.')
    }
    await saveClusterObjects(
      trx,
      outcome.outcomes.flatMap(({ rendered, state: applied }) =>
        applied === undefined
          ? []
          : {
              deployment_id: deploymentId,
              api_version: rendered.object.apiVersion,
              kind: rendered.object.kind,
              name: rendered.object.metadata.name,
              component: rendered.component,
              revision,
              uid: applied.uid,
              resource_version: applied.resourceVersion,
              generation: applied.generation,
              managed_time: applied.managedTime,
            },
      ),
    )
    for (const row of outcome.pruned) await deleteClusterObject(trx, row)
    const before = await finishRevision(trx, deploymentId, revision, { state, errors })
    if (newRevision) await supersedeOthers(trx, deploymentId, revision)
    await updateDeployment(trx, deploymentId, {
      attempt_id: null,
      live_revision: revision,
      ...(newRevision || changesPods ? { state: 'progressing', reason: '' } : {}),
    })
    // Applying again what was applied before tells nothing new.
    if (newRevision === undefined && before === state && errors.length === 0) return
    await appendDeploymentEvent(
      trx,
      subject,
      state === 'applied' ? { kind: 'applied' } : { kind: 'partial', errors },
      origin,
    )
  })
}

/**
 * Stores that an attempt came to nothing. When that can't be stored either, or the process dies, the attempt stays open
 * and the reconciler takes it up.
 */
async function storeFailure(
  services: DeployerContext,
  { subject, newRevision, origin }: Intent,
  { attemptId, revision }: Attempt,
  error: unknown,
): Promise<void> {
  // The API server being away is no verdict on the revision: the reconciler goes on when it is back.
  if (error instanceof Unavailable) return
  const reason = 'the namespace could not be made'
  await transaction(services.db, async (trx) => {
    if (!(await lockAttempt(trx, subject.deploymentId, attemptId))) return
    await updateDeployment(trx, subject.deploymentId, {
      attempt_id: null,
      ...(newRevision && { state: 'failed', reason }),
    })
    if (!newRevision) return
    await finishRevision(trx, subject.deploymentId, revision, { state: 'failed', errors: [reason] })
    await appendDeploymentEvent(trx, subject, { kind: 'failed', reason }, origin)
  }).catch((cause: unknown) => {
    services.logger.warn({ err: cause, deploymentId: subject.deploymentId }, 'attempt_failure_not_stored')
  })
}
