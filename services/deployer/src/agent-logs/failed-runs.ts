import type { V1ContainerStatus, V1Pod } from '@kubernetes/client-node'
import { FairQueue } from '@slipway/shared/fair-queue'
import type { Logger } from '@slipway/shared/logger'

import {
  ACCOUNT_LABEL,
  COMPONENT_LABEL,
  DEPLOYMENT_LABEL,
  MANAGED_BY,
  MANAGED_BY_LABEL,
} from '../domain/labels.ts'
import type { Database } from '@slipway/shared/db'
import type { DeployerSchema } from '../db/tables.ts'
import type { KubernetesClient } from '../kubernetes/client.ts'
import { isLogGone } from '../kubernetes/logs.ts'
import { containerStatuses } from '../kubernetes/pod-status.ts'
import { ObjectMirror } from '../kubernetes/watch.ts'
import { readContainerLog } from './container-log.ts'
import { KEPT, type FailedRun, type KeptLogs } from './kept-logs.ts'
import type { LogEntry } from './log-entry.ts'
import { readLogValues } from './log-values.ts'

const READ_BYTES = 64 * 1024
const TIMEOUT_MS = 10_000
const RUNNING = { total: 16, perUser: 4, perAccount: 4 }
const WAITING = { total: 1_024, perUser: 32, perAccount: 32 }
const NONE: readonly FailedRun[] = []

/**
 * Keeps the last lines of every container that fails. Every replica does this, so that each can
 * answer for pods that are gone.
 */
export function startKeepingLogs(
  db: Database<DeployerSchema>,
  client: KubernetesClient,
  kept: KeptLogs,
  logger: Logger,
): AsyncDisposable {
  const ending = new AbortController()
  const queue = new FairQueue({
    running: RUNNING,
    waiting: WAITING,
    refusal: ({ scope, limit }) => new Error(`more than ${limit} logs wait (${scope})`),
  })
  async function keep(run: FailedRun): Promise<void> {
    const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(TIMEOUT_MS)])
    // Users are unknown here, so accounts take turns.
    const owner = { user: run.accountId, account: run.accountId }
    try {
      using _turn = await queue.wait(owner, { signal })
      const values = await readLogValues({ db, kubernetes: client }, run, signal)
      kept.keep(run, await readEnd(client, run, values, signal))
    } catch (error) {
      // Also pods of other releases, whose Secrets can't be read.
      if (isLogGone(error)) return
      if (!ending.signal.aborted) logger.warn({ err: error, pod: run.pod }, 'log_not_kept')
    }
  }
  const mirror = new ObjectMirror<readonly FailedRun[]>({
    client,
    logger,
    query: {
      apiVersion: 'v1',
      kind: 'Pod',
      namespace: '',
      labels: { [MANAGED_BY_LABEL]: MANAGED_BY },
    },
    keep: (object) => failedRuns(object as unknown as V1Pod),
    onChange: (before = NONE, now = NONE) => {
      const known = new Set(before.map(({ runId }) => runId))
      for (const run of now) if (!known.has(run.runId)) void keep(run)
    },
  })
  const running = mirror.run(ending.signal)
  return {
    async [Symbol.asyncDispose]() {
      ending.abort()
      await running
    },
  }
}

/** The containers of a pod that have failed, with their last failed run. */
export function failedRuns({ metadata, status }: V1Pod): readonly FailedRun[] {
  // A pod that is being replaced ends its containers.
  if (metadata?.deletionTimestamp !== undefined) return NONE
  const runs = containerStatuses(status).flatMap((container) => {
    const ended = endOf(container)
    if (ended === undefined) return []
    return {
      accountId: metadata?.labels?.[ACCOUNT_LABEL] ?? '',
      deploymentId: metadata?.labels?.[DEPLOYMENT_LABEL] ?? '',
      namespace: metadata?.namespace ?? '',
      component: metadata?.labels?.[COMPONENT_LABEL] ?? '',
      pod: metadata?.name ?? '',
      container: container.name,
      ...ended,
    }
  })
  return runs.length === 0 ? NONE : runs
}

function endOf({ state, lastState }: V1ContainerStatus) {
  const [ended, isPrevious] = state?.terminated
    ? [state.terminated, false]
    : [lastState?.terminated, true]
  if (ended === undefined || ended.exitCode === 0) return undefined
  return { runId: ended.containerID ?? '', isPrevious }
}

async function readEnd(
  client: KubernetesClient,
  run: FailedRun,
  values: readonly string[],
  signal: AbortSignal,
): Promise<LogEntry[]> {
  const query = {
    namespace: run.namespace,
    tailLines: KEPT.lines,
    follow: false,
    previous: run.isPrevious,
    sinceSeconds: 0,
    limitBytes: READ_BYTES,
  }
  const { component, pod, container } = run
  const entries: LogEntry[] = []
  const origin = { component, pod, container }
  for await (const entry of readContainerLog(client, query, origin, values, signal)) {
    if (entry !== undefined) entries.push(entry)
  }
  return entries
}
