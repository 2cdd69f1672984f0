import type { CoreV1Event, V1Pod } from '@kubernetes/client-node'
import type { FairShare } from '@slipway/shared/fair-queue'
import type { Logger } from '@slipway/shared/logger'

import { COMPONENT_LABEL, DEPLOYMENT_LABEL } from '../domain/labels.ts'
import type { KubernetesClient } from '../kubernetes/client.ts'
import { containerStatuses } from '../kubernetes/pod-status.ts'
import { isLogGone } from '../kubernetes/logs.ts'
import { listWarnings } from '../kubernetes/events.ts'
import { listPods } from '../kubernetes/pods.ts'
import { ObjectMirror } from '../kubernetes/watch.ts'
import { readContainerLog } from './container-log.ts'
import { EntryMerger } from './entry-merger.ts'
import type { KeptLogs } from './kept-logs.ts'
import { eventEntry } from './event-entry.ts'
import { nanosOf, type LogEntry, type LogOrigin } from './log-entry.ts'
import { LOG_RANGE } from './log-range.ts'

/** How many containers are read at the same time, the newest pods first. */
const MAX_CONTAINERS = 20

/** What to read, and how much. */
export interface AgentLogQuery {
  readonly deploymentId: string
  readonly namespace: string
  /** Undefined means all. */
  readonly component: string | undefined
  /** Names of workloads and their components. Events name their pods. */
  readonly workloads: ReadonlyMap<string, string>
  readonly since: Date | undefined
  readonly tailLines: number
  readonly follow: boolean
  readonly limitBytes: number
}

/** What logs are read with. */
export interface LogReading {
  readonly client: KubernetesClient
  readonly logger: Logger
  readonly kept: KeptLogs
  /** Reads the values to redact. */
  readonly readValues: (signal: AbortSignal) => Promise<readonly string[]>
  /** Each container that is read takes one unit, because it holds a connection. */
  readonly share: FairShare
}

/**
 * Streams the logs of all pods of a deployment, its events, and the kept lines of pods that are
 * gone, merged by time.
 */
export async function* streamAgentLogs(
  reading: LogReading,
  query: AgentLogQuery,
  signal: AbortSignal,
): AsyncGenerator<readonly LogEntry[]> {
  using ending = new Ending(signal)
  const sources = new Sources(reading, query, ending.signal)
  const pods = await listPods(reading.client, query, ending.signal)
  await sources.readValues()
  sources.addKept(pods)
  for (const pod of pods) sources.addPod(pod, query.tailLines)
  if (query.follow) sources.follow()
  else sources.addEvents(await listWarnings(reading.client, query.namespace, ending.signal))
  // Shows the caller that the stream has started.
  yield []
  let left = query.limitBytes
  const since = query.since === undefined ? 0n : nanosOf(query.since)
  for await (const batch of sources.merger.read(ending.signal)) {
    const entries = batch.filter(({ time }) => time >= since)
    if (entries.length > 0) yield entries
    left -= entries.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
    if (left <= 0) return
  }
  signal.throwIfAborted()
}

/** Ends everything that was started for a stream. */
class Ending implements Disposable {
  readonly #own = new AbortController()
  readonly signal: AbortSignal

  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#own.signal])
  }

  [Symbol.dispose](): void {
    this.#own.abort()
  }
}

/** A container's log that is added to a stream. */
interface AddedLog {
  readonly origin: LogOrigin
  readonly tailLines: number
  readonly values: readonly string[]
}

class Sources {
  readonly merger: EntryMerger
  readonly #reading: LogReading
  readonly #query: AgentLogQuery
  readonly #signal: AbortSignal
  /** The runs of containers, and the events, that have been added. */
  readonly #known = new Set<string>()
  #containers = 0
  /** Undefined if they can't be read: then only kept lines are shown, which have none. */
  #values: readonly string[] | undefined

  constructor(reading: LogReading, query: AgentLogQuery, signal: AbortSignal) {
    this.#reading = reading
    this.#query = query
    this.#signal = signal
    this.merger = new EntryMerger({ isEndless: query.follow })
  }

  /** Reads the values to redact from everything that is added from now on. */
  async readValues(): Promise<void> {
    try {
      this.#values = await this.#reading.readValues(this.#signal)
    } catch (error) {
      if (!isLogGone(error)) throw error
      this.#values = undefined
    }
  }

  addKept(pods: readonly V1Pod[]): void {
    const existing = new Set(pods.map(({ metadata }) => metadata?.name ?? ''))
    const { deploymentId, tailLines } = this.#query
    for (const entries of this.#reading.kept.of(deploymentId, existing, tailLines))
      this.#addEntries(entries.filter(({ component }) => this.#isWanted(component)))
  }

  addPod({ metadata, status }: V1Pod, tailLines: number): void {
    const component = metadata?.labels?.[COMPONENT_LABEL] ?? ''
    const pod = metadata?.name ?? ''
    if (!this.#isWanted(component) || this.#values === undefined) return
    for (const { name: container, containerID, state, lastState } of containerStatuses(status)) {
      const origin = { component, pod, container }
      const last = state?.terminated === undefined ? lastState?.terminated?.containerID : undefined
      const log = { origin, tailLines, values: this.#values }
      if (last !== undefined && last !== containerID) this.#addLog(last, log, true)
      if (containerID !== undefined) this.#addLog(containerID, log, false)
    }
  }

  addEvents(events: readonly CoreV1Event[]): void {
    const entries = events.flatMap((event) => this.#toEntry(event))
    this.#addEntries(entries.sort((a, b) => (a.time < b.time ? -1 : 1)))
  }

  /** Adds the containers that start and the events that occur from now on. */
  follow(): void {
    const { client, logger } = this.#reading
    const { namespace, deploymentId } = this.#query
    const pods = new ObjectMirror<V1Pod>({
      client,
      logger,
      query: {
        apiVersion: 'v1',
        kind: 'Pod',
        namespace,
        labels: { [DEPLOYMENT_LABEL]: deploymentId },
      },
      keep: (object) => object as unknown as V1Pod,
      onChange: (_before, now) => void (now && this.#addStarted(now)),
    })
    const events = new ObjectMirror<CoreV1Event>({
      client,
      logger,
      query: { apiVersion: 'v1', kind: 'Event', namespace },
      keep: (object) => object as unknown as CoreV1Event,
      onChange: (_before, now) => now?.type === 'Warning' && this.addEvents([now]),
    })
    void pods.run(this.#signal)
    void events.run(this.#signal)
  }

  async #addStarted(pod: V1Pod): Promise<void> {
    try {
      // A new container may have other credentials.
      if (this.#hasNew(pod)) await this.readValues()
      // From its beginning.
      this.addPod(pod, LOG_RANGE.mostLines)
    } catch (error) {
      // The caller has too many streams, or the credentials can't be read, so the logs of this pod
      // are left out.
      if (this.#signal.aborted) return
      this.#reading.logger.info({ err: error, pod: pod.metadata?.name }, 'log_not_followed')
    }
  }

  #hasNew({ status }: V1Pod): boolean {
    return containerStatuses(status).some(
      ({ containerID }) => containerID !== undefined && !this.#known.has(containerID),
    )
  }

  #addLog(run: string, { origin, tailLines, values }: AddedLog, previous: boolean): void {
    if (this.#known.has(run) || this.#containers >= MAX_CONTAINERS) return
    if (this.#containers > 0) this.#reading.share.grow(1)
    this.#known.add(run)
    const { client, logger, share } = this.#reading
    const { namespace, since, follow, limitBytes } = this.#query
    const age = since === undefined ? 0 : Math.ceil((Date.now() - since.getTime()) / 1000)
    const query = {
      namespace,
      tailLines,
      follow: follow && !previous,
      previous,
      sinceSeconds: since === undefined ? 0 : Math.max(1, age),
      limitBytes,
    }
    this.#containers++
    void this.merger
      .add(readContainerLog(client, query, origin, values, this.#signal))
      .catch((error: unknown) => {
        if (!this.#signal.aborted)
          logger.warn({ err: error, namespace, ...origin }, 'log_interrupted')
      })
      .finally(() => {
        this.#containers--
        if (this.#containers > 0) share.shrinkBy(1)
      })
  }

  #addEntries(entries: readonly LogEntry[]): void {
    if (entries.length > 0) void this.merger.add(eachOf(entries))
  }

  #toEntry(event: CoreV1Event): LogEntry[] {
    if (this.#values === undefined) return []
    const entry = eventEntry(event, this.#query.workloads, this.#values)
    return entry !== undefined && this.#isWanted(entry.component) ? [entry] : []
  }

  #isWanted(component: string): boolean {
    return this.#query.component === undefined || this.#query.component === component
  }
}

async function* eachOf(entries: readonly LogEntry[]): AsyncGenerator<LogEntry> {
  yield* entries
}
