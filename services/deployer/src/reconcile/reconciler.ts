import type { DeploymentTemplate } from '@slipway/agent-spec'
import { withAdvisoryLock } from '@slipway/shared/db'
import { FailedPrecondition } from '@slipway/shared/errors'
import { FairQueue } from '@slipway/shared/fair-queue'
import { backoffMs, sleep } from '@slipway/shared/waiting'

import { failAttempt } from '../apply/attempt-result.ts'
import { executeAttempt } from '../apply/attempt.ts'
import { deleteNamespace } from '../apply/delete-namespace.ts'
import { finishUndeploy } from '../apply/finish-undeploy.ts'
import type { Intent } from '../apply/intent.ts'
import type { DeployerContext } from '../context.ts'
import {
  findDeployment,
  listUnfinished,
  markNamespaceGone,
  type DeploymentRow,
} from '../db/deployments.ts'
import { findRevision } from '../db/revisions.ts'
import { subjectOf } from '../events/deployment-events.ts'
import { inspectNamespace } from '../kubernetes/namespace.ts'
import { lockKey } from '../operations/lock.ts'
import { imageProblems } from '../plan/image-problems.ts'
import { composeStored } from '../plan/compose-stored.ts'
import { startLeader } from './leader.ts'

const INTERVAL_MS = 1_000
/** How many deployments are worked on at the same time. Users and their accounts take turns. */
const RUNNING = { total: 8, perUser: 2, perAccount: 2 }
const WAITING = { total: Infinity, perUser: Infinity, perAccount: Infinity }
const MAX_BACKOFF_MS = 30_000
const CREDENTIALS_LOST = 'the credentials of the revision never reached the cluster; deploy again'

/**
 * Finishes interrupted work: applies and undeploys that a crash or an outage of the API server
 * interrupted, and terminating namespaces. One replica does this for all deployments, some at a
 * time, under the lock of each live deployment.
 */
export function startReconciler(context: DeployerContext): AsyncDisposable {
  const { db, logger } = context
  return startLeader({ db, logger, key: 'reconciler' }, async (signal) => {
    const backoff = new Map<string, { failures: number; notBefore: number }>()
    const running = new Map<string, Promise<void>>()
    const queue = new FairQueue({
      running: RUNNING,
      waiting: WAITING,
      refusal: () => new Error('the queue of the reconciler is full'),
    })

    async function run(row: DeploymentRow): Promise<void> {
      try {
        const owner = { user: row.deployed_by, account: row.account_id }
        using _turn = await queue.wait(owner)
        if (signal.aborted) return
        await finish(context, row)
        backoff.delete(row.id)
      } catch (error) {
        if (signal.aborted) return
        const failures = (backoff.get(row.id)?.failures ?? 0) + 1
        const pauseMs = backoffMs(failures, { firstMs: INTERVAL_MS, maxMs: MAX_BACKOFF_MS })
        backoff.set(row.id, { failures, notBefore: performance.now() + pauseMs })
        logger.warn({ err: error, deployment_id: row.id }, 'reconcile_failed')
      } finally {
        running.delete(row.id)
      }
    }

    try {
      while (!signal.aborted) {
        for (const row of await listUnfinished(db)) {
          const isDue = (backoff.get(row.id)?.notBefore ?? 0) <= performance.now()
          if (isDue && !running.has(row.id)) running.set(row.id, run(row))
        }
        await sleep(INTERVAL_MS, signal)
      }
    } finally {
      await Promise.all(running.values())
    }
  })
}

async function finish(context: DeployerContext, row: DeploymentRow): Promise<void> {
  // Runs without the lock, because nothing else works on an undeployed deployment, and a check
  // every second must not delay a deploy of the same agent.
  if (row.undeploy_time !== null) return await checkNamespaceGone(context, row)
  // If the lock is taken, another operation is still working on the deployment.
  await withAdvisoryLock(
    context.db,
    lockKey({ accountId: row.account_id, agent: row.agent }),
    {},
    async (lockSignal) => {
      const deployment = await findDeployment(context.db, row.id)
      if (!deployment || deployment.undeploy_time !== null) return
      if (deployment.state === 'undeploying') await finishUndeploy(context, deployment)
      else if (deployment.attempt_id !== null)
        await finishAttempt(context, deployment, deployment.attempt_id, lockSignal)
    },
  )
}

async function finishAttempt(
  context: DeployerContext,
  deployment: DeploymentRow,
  interrupted: string,
  lockSignal: AbortSignal,
): Promise<void> {
  const number = deployment.attempt_revision ?? deployment.last_revision
  const revision = await findRevision(context.db, deployment.id, number)
  if (!revision) throw new Error(`deployment ${deployment.id} has no revision ${number}`)
  const origin = { requestId: revision.request_id, traceparent: revision.traceparent }
  const subject = subjectOf(deployment, revision)
  const fail = async (reason: string): Promise<void> => {
    await failAttempt(context, { attemptId: interrupted, subject, origin }, reason)
    context.logger.info(
      { deployment_id: deployment.id, revision: number },
      'interrupted_apply_failed',
    )
  }
  const [problem] = imageProblems(
    revision.template as DeploymentTemplate,
    deployment.source_account_id,
    context.images,
  )
  // The operator's settings may have changed since the revision was stored.
  if (problem !== undefined && number !== deployment.live_revision) return await fail(problem)
  let composed
  try {
    composed = await composeStored(
      context,
      { deployment, revision },
      { number, reason: 'credentials_lost' },
    )
  } catch (error) {
    if (!(error instanceof FailedPrecondition)) throw error
    return await fail(CREDENTIALS_LOST)
  }
  const intent: Intent = {
    subject,
    composed,
    origin,
    newRevision: undefined,
    event: undefined,
    deployedBy: undefined,
  }
  await executeAttempt(context, intent, lockSignal)
  context.logger.info(
    { deployment_id: deployment.id, revision: number },
    'interrupted_apply_finished',
  )
}

async function checkNamespaceGone(
  context: DeployerContext,
  deployment: DeploymentRow,
): Promise<void> {
  const owner = { release: context.config.cluster.release, deploymentId: deployment.id }
  const state = await inspectNamespace(context.kubernetes, deployment.k8s_namespace, owner)
  if (state === 'terminating') return
  // The namespace exists although its deletion was accepted: the cluster was restored from a
  // backup.
  if (state === 'ours') await deleteNamespace(context, deployment)
  else await markNamespaceGone(context.db, deployment.id)
}
