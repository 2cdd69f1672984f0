import { sleep } from '@slipway/shared/waiting'

import type { DeployerContext } from '../context.ts'
import { listLiveDeploymentIds, listProgressing } from '../db/deployments.ts'
import { ClusterView } from './cluster-view.ts'
import { evaluateState } from './evaluate.ts'
import { startLeader } from './leader.ts'
import { PollBackoff } from './poll-backoff.ts'

/** Changes to a deployment occur in bursts, so they are evaluated together after this time. */
const DEBOUNCE_MS = 30
/** Delay before an evaluation that returned `later` is repeated. */
const REPEAT_MS = 200
/**
 * Poll interval of progressing deployments, increased by PollBackoff: they may become ready without
 * another change in the cluster.
 */
const PROGRESSING_MS = 250
/** Every deployment is evaluated again after this time, even without a change. */
const RESYNC_MS = 5 * 60_000
const CONCURRENCY = 4

/** Keeps the states of all deployments in sync with the cluster. Only one replica does this. */
export function startStateWatcher(context: DeployerContext): AsyncDisposable {
  const { db, logger } = context
  return startLeader({ db, logger, key: 'state-watcher' }, async (signal) => {
    const queue = new EvaluationQueue(
      (deploymentId) => evaluateState(context, view, deploymentId),
      context,
    )
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
      const ids = new Map(
        (await listProgressing(db)).map(({ id, live_revision }) => [`${id} ${live_revision}`, id]),
      )
      const due = polls.due(new Set(ids.keys()), performance.now())
      return [...ids].flatMap(([key, id]) => (due.has(key) ? id : []))
    }
    await Promise.all([
      view.run(signal),
      poll(PROGRESSING_MS, listDue),
      poll(RESYNC_MS, () => listLiveDeploymentIds(db)),
    ])
    await queue.stop()
  })
}

class EvaluationQueue {
  readonly #evaluate: (deploymentId: string) => Promise<'done' | 'later'>
  readonly #context: DeployerContext
  /** Timers of deployments to evaluate later. */
  readonly #timers = new Map<string, NodeJS.Timeout>()
  readonly #waiting = new Set<string>()
  readonly #running = new Map<string, Promise<void>>()
  #isStopped = false

  constructor(
    evaluate: (deploymentId: string) => Promise<'done' | 'later'>,
    context: DeployerContext,
  ) {
    this.#evaluate = evaluate
    this.#context = context
  }

  add(deploymentId: string, delayMs: number): void {
    if (this.#isStopped || this.#timers.has(deploymentId)) return
    const timer = setTimeout(() => {
      this.#timers.delete(deploymentId)
      this.#waiting.add(deploymentId)
      this.#next()
    }, delayMs)
    this.#timers.set(deploymentId, timer)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#waiting.clear()
    await Promise.all(this.#running.values())
  }

  #next(): void {
    for (const deploymentId of this.#waiting) {
      if (this.#running.size >= CONCURRENCY) return
      // One evaluation at a time per deployment, so that an older one can't overwrite a newer one.
      if (this.#running.has(deploymentId)) continue
      this.#waiting.delete(deploymentId)
      this.#running.set(deploymentId, this.#run(deploymentId))
    }
  }

  async #run(deploymentId: string): Promise<void> {
    let outcome: 'done' | 'later' = 'later'
    try {
      outcome = await this.#evaluate(deploymentId)
    } catch (error) {
      this.#context.logger.warn({ err: error, deploymentId }, 'evaluation_failed')
    }
    this.#running.delete(deploymentId)
    if (outcome === 'later') this.add(deploymentId, REPEAT_MS)
    this.#next()
  }
}
