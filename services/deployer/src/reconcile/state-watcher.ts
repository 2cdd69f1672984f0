import { sleep } from '@slipway/shared/waiting'

import type { DeployerContext } from '../context.ts'
import { listLiveOwners, listProgressing } from '../db/deployments.ts'
import { ClusterView } from './cluster-view.ts'
import { EvaluationQueue } from './evaluation-queue.ts'
import { evaluateState } from './evaluate.ts'
import { startLeader } from './leader.ts'
import { PollBackoff } from './poll-backoff.ts'
import { UNSCHEDULABLE_MS } from './run-facts.ts'

/** Changes to a deployment occur in bursts, so they are evaluated together after this time. */
const DEBOUNCE_MS = 30
/**
 * Poll interval of progressing deployments, increased by PollBackoff: they may become ready without
 * another change in the cluster.
 */
const PROGRESSING_MS = 250
/**
 * How often runs of ingestions that have not started in time are looked for. Their deployments are
 * evaluated at intervals that PollBackoff increases.
 */
const START_CHECK_MS = 2_000
/** Every deployment is evaluated again after this time, even without a change. */
const RESYNC_MS = 5 * 60_000

/** Keeps the states of all deployments in sync with the cluster. Only one replica does this. */
export function startStateWatcher(context: DeployerContext): AsyncDisposable {
  const { db, logger } = context
  return startLeader({ db, logger, key: 'state-watcher' }, async (signal) => {
    const evaluate = (deploymentId: string) => evaluateState(context, view, deploymentId)
    const queue = new EvaluationQueue(evaluate, logger)
    const view = new ClusterView(context.kubernetes, logger, (deploymentId) =>
      queue.add(deploymentId, DEBOUNCE_MS),
    )
    const poll = async (intervalMs: number, list: () => Promise<string[]>) => {
      while (!signal.aborted) {
        const ids = view.isSynced ? await list().catch(() => []) : []
        for (const id of ids) queue.add(id, 0)
        await sleep(view.isSynced ? intervalMs : 50, signal)
      }
    }
    const polls = new PollBackoff()
    const listDue = async () => {
      const progressing = await listProgressing(db)
      queue.learnOwners(progressing)
      const ids = new Map(
        progressing.map(({ id, live_revision }) => [`${id} ${live_revision}`, id]),
      )
      const due = polls.due(new Set(ids.keys()), performance.now())
      return [...ids].flatMap(([key, id]) => (due.has(key) ? id : []))
    }
    const listAll = async () => {
      const live = await listLiveOwners(db)
      queue.learnOwners(live, { areAll: true })
      return live.map(({ id }) => id)
    }
    const startMs = context.config.workloads.manifests.ingestionStartSeconds * 1000
    const waits = new PollBackoff()
    const listWaiting = async () => {
      const since = Date.now() - Math.min(startMs, UNSCHEDULABLE_MS)
      return [...waits.due(new Set(view.deploymentsWaitingSince(since)), performance.now())]
    }
    await Promise.all([
      view.run(signal),
      poll(PROGRESSING_MS, listDue),
      poll(START_CHECK_MS, listWaiting),
      poll(RESYNC_MS, listAll),
    ])
    await queue.stop()
  })
}
