import { FairQueue, type Owner } from '@slipway/shared/fair-queue'
import { LoadingCache } from '@slipway/shared/loading-cache'

import type { DeploymentRow } from '../db/deployments.ts'
import type { ComponentFailure } from '../domain/component-failure.ts'
import { isKubernetesStatus } from '../kubernetes/kubernetes-error.ts'
import { readEvidence, type ExplainContext } from './evidence.ts'
import { explainFailures } from './explain.ts'
import { noticesOf } from './notices.ts'

/** How long a response waits for the cluster to explain failures. */
const TIMEOUT_MS = 4_000
/** How long an explanation is used again, so that polling costs little. */
const FRESH_MS = { known: 5_000, unknown: 10_000, ready: 60_000 }
/** What is wrong with what is ready need not be known. */
const READY_TIMEOUT_MS = 1_000
const MAX_CACHED = 1_000
/** The components of a deployment whose failures are explained. */
const MAX_COMPONENTS = 10
const RUNNING = { total: 32, perUser: 8, perAccount: 8 }
const WAITING = { total: 512, perUser: 64, perAccount: 64 }

/** Why components are not ready. */
export interface Explanation {
  readonly failures: readonly ComponentFailure[]
  /** `failures: reason` if the cluster did not say why, and what is wrong with what is ready. */
  readonly warnings: readonly string[]
}

interface CachedExplanation extends Explanation {
  readonly freshMs: number
}

const SILENT = 'failures: the cluster did not say in time why components are not ready; try again'
const NO_RIGHTS =
  'failures: the deployer has lost its rights in the namespace, so it is not known why ' +
  'components are not ready; a deploy restores them'

/** Reads from the cluster why deployments are not ready. Users and their accounts take turns. */
export class FailureReader {
  readonly #context: ExplainContext
  readonly #queue = new FairQueue({
    running: RUNNING,
    waiting: WAITING,
    refusal: ({ scope, limit }) => new Error(`more than ${limit} explanations wait (${scope})`),
  })
  readonly #cache = new LoadingCache<CachedExplanation>({
    maxEntries: MAX_CACHED,
    freshUntil: ({ freshMs }, startedAt) => startedAt + freshMs,
  })

  constructor(context: ExplainContext) {
    this.#context = context
  }

  /**
   * Explains why components are not ready, and what is wrong with those that are. Never fails: if
   * the cluster does not answer in time, a warning says so.
   */
  async read(
    deployment: DeploymentRow,
    components: readonly { readonly name: string; readonly state: string }[],
    owner: Owner,
  ): Promise<Explanation> {
    const namesOf = (isReady: boolean) =>
      components
        .filter(({ state }) => (state === 'ready') === isReady)
        .map(({ name }) => name)
        .slice(0, MAX_COMPONENTS)
    const [failing, ready] = [namesOf(false), namesOf(true)]
    const { id, live_revision: revision, state, reason } = deployment
    // Another state needs another explanation.
    const key = JSON.stringify([id, revision, state, reason, failing])
    const known = this.#cache.get(key)
    if (known !== undefined) return known
    if (failing.length + ready.length === 0) return { failures: [], warnings: [] }
    return await this.#cache.load(key, async () => {
      const isFailing = failing.length > 0
      const failed = (warning: string) => ({
        failures: [],
        warnings: isFailing ? [warning] : [],
        freshMs: isFailing ? FRESH_MS.unknown : FRESH_MS.ready,
      })
      const signal = AbortSignal.timeout(isFailing ? TIMEOUT_MS : READY_TIMEOUT_MS)
      try {
        using _turn = await this.#queue.wait(owner, { signal })
        const evidence = await readEvidence(this.#context, deployment, signal)
        if (evidence === undefined) return failed(NO_RIGHTS)
        const [failures, warnings] = await Promise.all([
          explainFailures(evidence, failing),
          noticesOf(evidence, ready),
        ])
        return { failures, warnings, freshMs: isFailing ? FRESH_MS.known : FRESH_MS.ready }
      } catch (error) {
        this.#context.logger.warn({ err: error, deployment_id: id }, 'failures_not_explained')
        return failed(isKubernetesStatus(error, 403) ? NO_RIGHTS : SILENT)
      }
    })
  }
}
