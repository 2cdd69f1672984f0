import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect'
import {
  type Health,
  HealthCheckResponse_ServingStatus as Status,
} from '@slipway/proto/grpc/health/v1/health'

import type { Logger } from '../../logging/logger.ts'
import { orAbort, sleep } from '../../waiting.ts'

const CHECK_TIMEOUT_MS = 2_000
/** Results are cached this long, so that frequent probes don't load the dependencies. */
const CACHE_MS = 500
const WATCH_INTERVAL_MS = 1_000

/**
 * Checks a dependency that the process needs to be ready: rejects if it is unreachable.
 */
export type ReadinessCheck = () => Promise<unknown>

/**
 * Whether a process is ready: all its dependencies are reachable and it isn't draining. Logs when a
 * check starts to fail and when it succeeds again.
 */
export class Readiness {
  readonly #checks: ReadonlyMap<string, ReadinessCheck>
  readonly #logger: Logger | undefined
  readonly #failing = new Set<string>()
  #isDraining = false
  #last: { at: number; failed: Promise<readonly string[]> } | undefined

  constructor(checks: Readonly<Record<string, ReadinessCheck>>, logger?: Logger) {
    this.#logger = logger
    this.#checks = new Map(Object.entries(checks))
  }

  /** Makes the process permanently not ready. */
  drain(): void {
    this.#isDraining = true
  }

  /** The names of the failing checks; empty if the process is ready. */
  async failing(): Promise<readonly string[]> {
    if (this.#isDraining) return ['draining']
    if (this.#last === undefined || Date.now() - this.#last.at > CACHE_MS) {
      this.#last = { at: Date.now(), failed: this.#check() }
    }
    return await this.#last.failed
  }

  async #check(): Promise<readonly string[]> {
    const names = [...this.#checks].map(async ([name, check]) => {
      try {
        await orAbort(check(), AbortSignal.timeout(CHECK_TIMEOUT_MS))
        if (this.#failing.delete(name)) this.#logger?.info({ check: name }, 'ready_again')
        return []
      } catch (error) {
        if (!this.#failing.has(name)) this.#logger?.warn({ check: name, err: error }, 'not_ready')
        this.#failing.add(name)
        return [name]
      }
    })
    return (await Promise.all(names)).flat()
  }
}

/** The standard gRPC health service over a Readiness, for the given service names. */
export function healthService(
  readiness: Readiness,
  serviceNames: readonly string[],
): ServiceImpl<typeof Health> {
  const known = new Set(['', ...serviceNames])
  const status = async () =>
    (await readiness.failing()).length === 0 ? Status.SERVING : Status.NOT_SERVING
  return {
    async check({ service }) {
      if (!known.has(service)) throw new ConnectError('unknown service', Code.NotFound)
      return { status: await status() }
    },
    async list() {
      const now = await status()
      return { statuses: Object.fromEntries([...known].map((name) => [name, { status: now }])) }
    },
    async *watch({ service }, context) {
      let last: Status | undefined
      while (!context.signal.aborted) {
        const now = known.has(service) ? await status() : Status.SERVICE_UNKNOWN
        if (now !== last) yield { status: now }
        last = now
        await sleep(WATCH_INTERVAL_MS, context.signal)
      }
    },
  }
}
