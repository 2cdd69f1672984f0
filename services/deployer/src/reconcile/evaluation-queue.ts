import { FairQueue, type Owner } from '@slipway/shared/fair-queue'
import type { Logger } from '@slipway/shared/logger'

import type { DeploymentOwner } from '../db/deployments.ts'

/** How many deployments are evaluated at the same time. Users and their accounts take turns. */
const RUNNING = { total: 4, perUser: 2, perAccount: 2 }
const WAITING = { total: Infinity, perUser: Infinity, perAccount: Infinity }
/** Delay before an evaluation that returned `later` is repeated. */
const REPEAT_MS = 200

interface Evaluation {
  hasBegun: boolean
  /** The deployment has changed since it began. */
  isOutdated: boolean
}

/** Evaluates deployments in turn: each one at a time, and later again if it changes meanwhile. */
export class EvaluationQueue {
  readonly #evaluate: (deploymentId: string) => Promise<'done' | 'later'>
  readonly #logger: Logger
  readonly #turns = new FairQueue({
    running: RUNNING,
    waiting: WAITING,
    refusal: () => new Error('the queue of evaluations is full'),
  })
  #isStopping = false
  /** Timers of deployments to evaluate later. */
  readonly #timers = new Map<string, NodeJS.Timeout>()
  readonly #evaluations = new Map<string, Evaluation>()
  readonly #running = new Set<Promise<void>>()
  #owners = new Map<string, Owner>()

  constructor(evaluate: (deploymentId: string) => Promise<'done' | 'later'>, logger: Logger) {
    this.#evaluate = evaluate
    this.#logger = logger
  }

  /** Stores whose turn a deployment needs; unknown owners share turns. */
  learnOwners(rows: readonly DeploymentOwner[], { areAll = false } = {}): void {
    if (areAll) this.#owners = new Map()
    for (const { id, account_id: account, deployed_by: user } of rows)
      this.#owners.set(id, { user, account })
  }

  /** Evaluates a deployment after a delay, unless it is evaluated earlier anyway. */
  add(deploymentId: string, delayMs: number): void {
    if (this.#isStopping || this.#timers.has(deploymentId)) return
    const timer = setTimeout(() => {
      this.#timers.delete(deploymentId)
      this.#start(deploymentId)
    }, delayMs)
    this.#timers.set(deploymentId, timer)
  }

  /** Waits for running evaluations, and begins no others. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const timer of this.#timers.values()) clearTimeout(timer)
    await Promise.all(this.#running)
  }

  #start(deploymentId: string): void {
    const known = this.#evaluations.get(deploymentId)
    // One at a time per deployment, so that an older one can't overwrite a newer one.
    if (known) {
      known.isOutdated = known.hasBegun
      return
    }
    const evaluation = { hasBegun: false, isOutdated: false }
    this.#evaluations.set(deploymentId, evaluation)
    const running = this.#run(deploymentId, evaluation).finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  async #run(deploymentId: string, evaluation: Evaluation): Promise<void> {
    let outcome: 'done' | 'later' = 'later'
    try {
      const owner = this.#owners.get(deploymentId) ?? { user: '' }
      using _turn = await this.#turns.wait(owner)
      if (this.#isStopping) return
      evaluation.hasBegun = true
      outcome = await this.#evaluate(deploymentId)
    } catch (error) {
      if (!this.#isStopping)
        this.#logger.warn({ err: error, deployment_id: deploymentId }, 'evaluation_failed')
    }
    this.#evaluations.delete(deploymentId)
    if (evaluation.isOutdated) this.add(deploymentId, 0)
    else if (outcome === 'later') this.add(deploymentId, REPEAT_MS)
  }
}
