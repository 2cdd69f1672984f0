import { sleep } from '@slipway/shared/waiting'

import type { DeployerContext } from '../context.ts'
import { listLiveDeploymentIds, listProgressing } from '../db/deployments.ts'
import { ClusterView } from './cluster-view.ts'
import { evaluateState } from './evaluate.ts'
import { startLeader } from './leader.ts'
import { PollBackoff } from './poll-backoff.ts'

/** Changes of one deployment come in bursts; they are looked at together after this time. */
const DEBOUNCE_MS = 30
/** After this time an evaluation that came too early is made again. */
const AGAIN_MS = 200
/**
 * What is on its way may be there already without the cluster saying anything new: it is looked at
 * this often at first.
 */
const PROGRESSING_MS = 250
/** Every deployment is looked at again this often, whatever the watch says. */
const RESYNC_MS = 5 * 60_000
const CONCURRENCY = 4

/** Keeps the state of all deployments up to date with the cluster. One replica does it for all. */
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
  /** Deployments that are to be looked at, with the timer that makes them wait. */
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
      // One at a time for each: the later evaluation must not be overtaken by the earlier.
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
    if (outcome === 'later') this.add(deploymentId, AGAIN_MS)
    this.#next()
  }
}
