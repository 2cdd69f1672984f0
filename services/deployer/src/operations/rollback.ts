import type { DeploymentTemplate } from '@slipway/agent-spec'
import { FailedPrecondition, NotFound } from '@slipway/shared/errors'

import { executeAttempt } from '../apply/attempt.ts'
import type { Intent } from '../apply/intent.ts'
import type { DeployerContext } from '../context.ts'
import { requireLiveDeployment, type DeploymentRow } from '../db/deployments.ts'
import { findRollbackTarget, listAppliedBefore } from '../db/revision-lists.ts'
import { findRevision, type RevisionRow } from '../db/revisions.ts'
import { subjectOf } from '../events/deployment-events.ts'
import { composeStored } from '../plan/compose-stored.ts'
import { imageProblems } from '../plan/image-problems.ts'
import { authorOf, type Actor } from './actor.ts'
import { deployed, type Deployed } from './deployed.ts'
import { withDeploymentLock, type LockTarget } from './lock.ts'

/** The number of revisions to choose from that an error names. */
const MAX_LISTED = 10

/**
 * Restores an earlier revision by copying it to a new one. If the live revision has the same
 * content, it is applied again instead, which undoes manual changes in the cluster. Throws NotFound
 * `revision_not_found` and FailedPrecondition `revision_not_restorable`.
 */
export async function rollBackAgent(
  context: DeployerContext,
  target: LockTarget & { readonly revision: number | undefined },
  actor: Actor,
): Promise<Deployed> {
  return await withDeploymentLock(context, target, actor, async (lockSignal) => {
    const deployment = await requireLiveDeployment(context.db, target.accountId, target.agent)
    if (deployment.state === 'undeploying') {
      throw new NotFound('deployment_not_found', `agent ${target.agent} is not deployed`)
    }
    const live =
      deployment.live_revision === null
        ? undefined
        : await findRevision(context.db, deployment.id, deployment.live_revision)
    const wanted = await findTarget(context, deployment, live, target.revision)
    const unchanged = live?.fingerprint.equals(wanted.fingerprint) ? live : undefined
    const isNew = unchanged === undefined
    if (isNew) requireAllowedImages(context, deployment, wanted)
    const copied = unchanged ?? wanted
    const revision = isNew ? deployment.last_revision + 1 : copied.revision
    const composed = await composeStored(
      context,
      { deployment, revision: copied },
      { number: revision, reason: 'revision_not_restorable', signal: actor.signal },
    )
    const intent: Intent = {
      subject: subjectOf(deployment, copied, revision),
      composed,
      origin: actor.origin,
      deployedBy: actor.userId,
      event: isNew ? { kind: 'requested' } : undefined,
      newRevision: isNew
        ? {
            version: copied.version,
            registry: copied.registry,
            spec_content: copied.spec_content,
            account: copied.account,
            source_account: copied.source_account,
            template: JSON.stringify(copied.template),
            selection: JSON.stringify(copied.selection),
            rolled_back_to: copied.revision,
            ...authorOf(actor),
          }
        : undefined,
    }
    return deployed(intent, await executeAttempt(context, intent, lockSignal), {
      ...(copied.version !== null && { version: copied.version }),
      rolledBackTo: wanted.revision,
      warnings: readinessWarnings(wanted),
    })
  })
}

async function findTarget(
  { db }: DeployerContext,
  deployment: DeploymentRow,
  live: RevisionRow | undefined,
  wanted: number | undefined,
): Promise<RevisionRow> {
  if (wanted !== undefined) {
    const found = await findRevision(db, deployment.id, wanted)
    if (found === undefined) throw revisionNotFound(`${deployment.agent} has no revision ${wanted}`)
    if (found.fully_applied) return found
    throw new FailedPrecondition(
      'revision_not_restorable',
      `revision ${wanted} was never fully applied, so it can't be restored`,
    )
  }
  const before = (live?.revision ?? deployment.last_revision) + (live ? 0 : 1)
  const fingerprint = live?.fingerprint ?? Buffer.alloc(0)
  const found = await findRollbackTarget(db, deployment.id, before, fingerprint)
  return found ?? (await refuseUnready(db, deployment, { before, fingerprint }))
}

/** Throws why there is no revision to roll back to, with the revisions to choose from. */
async function refuseUnready(
  db: DeployerContext['db'],
  { id, agent }: DeploymentRow,
  { before, fingerprint }: { readonly before: number; readonly fingerprint: Buffer },
): Promise<never> {
  const earlier = (await listAppliedBefore(db, id, before)).filter(
    (each) => !each.fingerprint.equals(fingerprint),
  )
  if (earlier.length === 0)
    throw revisionNotFound(`${agent} has no earlier revision to roll back to`)
  const listed = earlier
    .slice(0, MAX_LISTED)
    .map(({ revision, build_id }) => `${revision} (build ${build_id})`)
  throw new FailedPrecondition(
    'no_ready_revision',
    `no earlier revision of ${agent} was ever ready; to restore one nevertheless, ` +
      `send its number as revision: ${listed.join(', ')}`,
    { metadata: { revisions: earlier.map(({ revision }) => revision).join(',') } },
  )
}

function readinessWarnings({ revision, records_readiness, ready_time }: RevisionRow): string[] {
  if (!records_readiness) {
    const since = 'before readiness was recorded, so it counts as ready'
    return [`revision: revision ${revision} was created ${since}`]
  }
  return ready_time === null ? [`revision: revision ${revision} was never ready`] : []
}

/** The operator's settings may have changed since the revision was deployed. */
function requireAllowedImages(
  { images }: DeployerContext,
  { source_account_id: owner }: DeploymentRow,
  wanted: RevisionRow,
): void {
  const [problem] = imageProblems(wanted.template as DeploymentTemplate, owner, images)
  if (problem === undefined) return
  throw new FailedPrecondition(
    'revision_not_restorable',
    `revision ${wanted.revision} can't be restored: ${problem}`,
  )
}

function revisionNotFound(message: string): NotFound {
  return new NotFound('revision_not_found', message)
}
