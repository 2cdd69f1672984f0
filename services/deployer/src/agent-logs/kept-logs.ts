import type { LogEntry } from './log-entry.ts'

/** How long the last lines of a failed container are kept, and how many. */
export const KEPT = { lines: 50, hours: 1 }
const KEPT_MS = KEPT.hours * 60 * 60_000
const MAX_BYTES = { total: 32 * 1024 * 1024, account: 1024 * 1024, run: 16 * 1024 }

/** What a run counts in addition to its lines. */
const RUN_BYTES = 256

/** A container that has failed. */
export interface FailedRun {
  readonly accountId: string
  readonly deploymentId: string
  readonly namespace: string
  readonly component: string
  readonly pod: string
  readonly container: string
  /** Whether the log is that of the run before the last restart. */
  readonly isPrevious: boolean
  /** Distinguishes the runs of a container. */
  readonly runId: string
}

interface KeptRun {
  readonly run: FailedRun
  readonly entries: readonly LogEntry[]
  readonly bytes: number
  readonly keptAt: number
}

/**
 * The last lines of containers that have failed, in memory only: they outlive the pods. An account
 * can't displace the lines of others.
 */
export class KeptLogs {
  /** The oldest first. */
  readonly #runs = new Map<string, KeptRun>()
  readonly #bytesOf = new Map<string, number>()
  readonly #now: () => number
  #bytes = 0

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /**
   * Keeps the last lines of a run, instead of those of an earlier run of the same container. The
   * earlier lines stay if there are none: the log of a pod that is deleted soon after is empty.
   */
  keep(run: FailedRun, entries: readonly LogEntry[]): void {
    if (entries.length === 0) return
    const kept: LogEntry[] = []
    let bytes = RUN_BYTES
    for (const entry of entries.slice(-KEPT.lines).reverse()) {
      bytes += Buffer.byteLength(entry.text)
      if (bytes > MAX_BYTES.run) break
      kept.unshift(entry)
    }
    const key = keyOf(run)
    this.#remove(key)
    this.#runs.set(key, { run, entries: kept, bytes, keptAt: this.#now() })
    this.#count(run.accountId, bytes)
    this.#makeRoom(run.accountId)
  }

  /** Returns the kept lines of a container; none if there are none. */
  ofContainer(run: Pick<FailedRun, 'namespace' | 'pod' | 'container'>): readonly LogEntry[] {
    const known = this.#runs.get(keyOf(run))
    return known !== undefined && known.keptAt > this.#now() - KEPT_MS ? known.entries : []
  }

  /** Returns the last lines of each container of a deployment's pods that no longer exist. */
  of(
    deploymentId: string,
    existingPods: ReadonlySet<string>,
    tailLines: number = KEPT.lines,
  ): readonly (readonly LogEntry[])[] {
    const oldest = this.#now() - KEPT_MS
    return [...this.#runs.values()]
      .filter(({ run, keptAt }) => keptAt > oldest && run.deploymentId === deploymentId)
      .filter(({ run }) => !existingPods.has(run.pod))
      .map(({ entries }) => entries.slice(-tailLines))
  }

  #makeRoom(accountId: string): void {
    const oldest = this.#now() - KEPT_MS
    for (const [key, { run, keptAt }] of this.#runs) {
      const isOver = this.#bytes > MAX_BYTES.total || keptAt <= oldest
      const isOwn = run.accountId === accountId
      const hasTooMuch = isOwn && (this.#bytesOf.get(accountId) ?? 0) > MAX_BYTES.account
      if (isOver || hasTooMuch) this.#remove(key)
    }
  }

  #remove(key: string): void {
    const known = this.#runs.get(key)
    if (known === undefined) return
    this.#runs.delete(key)
    this.#count(known.run.accountId, -known.bytes)
  }

  #count(accountId: string, bytes: number): void {
    this.#bytes += bytes
    const left = (this.#bytesOf.get(accountId) ?? 0) + bytes
    if (left <= 0) this.#bytesOf.delete(accountId)
    else this.#bytesOf.set(accountId, left)
  }
}

function keyOf({ namespace, pod, container }: Pick<FailedRun, 'namespace' | 'pod' | 'container'>) {
  return `${namespace}/${pod}/${container}`
}
