import { FailedPrecondition, NotFound } from '@slipway/shared/errors'

import type { KubernetesClient } from './client.ts'
import { clusterUnreachable, isBusy, isKubernetesStatus } from './kubernetes-error.ts'
import { objectPath } from './paths.ts'
import { podNotFound } from './pods.ts'

/** What a node returns instead of the log of a container that it has removed. */
export const NO_LOG = /^unable to retrieve container logs for /

/** Which part of a container's log to read. */
export interface LogQuery {
  readonly namespace: string
  readonly pod: string
  readonly container: string
  readonly tailLines: number
  readonly follow: boolean
  readonly previous: boolean
  /** 0 means from the beginning. */
  readonly sinceSeconds: number
  readonly timestamps: boolean
  readonly limitBytes: number
}

/**
 * Streams a container's log, at most `limitBytes` of it. Throws NotFound `pod_not_found` and
 * FailedPrecondition `log_unavailable`.
 */
export async function* readLog(
  client: KubernetesClient,
  query: LogQuery,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const response = await openLog(client, query, signal)
  try {
    // Starts with an empty chunk, because the log may be silent for a long time and callers wait
    // for headers.
    if (query.follow) yield new Uint8Array()
    let left = query.limitBytes
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if (
        left === query.limitBytes &&
        !query.follow &&
        NO_LOG.test(chunk.toString('latin1', 0, 100))
      )
        throw new FailedPrecondition('log_unavailable', 'the node no longer has this log')
      const piece = chunk.subarray(0, left)
      left -= piece.length
      yield piece
      if (left === 0) return
    }
  } catch (error) {
    signal.throwIfAborted()
    // The kubelet closed the connection or the pod was deleted, so the log ends here.
    if (!isConnectionEnd(error)) throw error
  } finally {
    response.destroy()
  }
}

/** Whether readLog failed because the pod, or this run of its container, is gone. */
export function isLogGone(error: unknown): boolean {
  return error instanceof NotFound || error instanceof FailedPrecondition
}

async function openLog(client: KubernetesClient, query: LogQuery, signal: AbortSignal) {
  const parameters = new URLSearchParams({
    container: query.container,
    tailLines: String(query.tailLines),
    limitBytes: String(query.limitBytes),
    ...(query.follow && { follow: 'true' }),
    ...(query.previous && { previous: 'true' }),
    ...(query.timestamps && { timestamps: 'true' }),
    ...(query.sinceSeconds > 0 && { sinceSeconds: String(query.sinceSeconds) }),
  })
  const path = objectPath({
    apiVersion: 'v1',
    kind: 'Pod',
    namespace: query.namespace,
    name: query.pod,
  })
  try {
    return await client.stream({
      method: 'GET',
      path: `${path}/log?${parameters.toString()}`,
      accept: '*/*',
      signal,
    })
  } catch (error) {
    // E.g. `container "agent" in pod "…" is waiting to start: ImagePullBackOff`.
    if (isKubernetesStatus(error, 400)) {
      const text = error.status.message ?? 'the container has no log yet'
      throw new FailedPrecondition('log_unavailable', text, { cause: error })
    }
    // The pod was deleted in the meantime, or its namespace and the deployer's permissions in it.
    if (isKubernetesStatus(error, 404) || isKubernetesStatus(error, 403))
      throw podNotFound(query.pod, error)
    if (isBusy(error)) throw clusterUnreachable(error)
    throw error
  }
}

function isConnectionEnd(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE'
}
