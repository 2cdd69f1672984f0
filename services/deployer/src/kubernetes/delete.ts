import { Conflict } from '@slipway/shared/errors'
import { sleepOrAbort } from '@slipway/shared/waiting'

import { type ObjectKey } from '../domain/kubernetes-object.ts'
import type { KubernetesClient } from './client.ts'
import { isKubernetesStatus } from './kubernetes-error.ts'
import { objectPath } from './paths.ts'
import { readObject } from './read.ts'

const MAX_ATTEMPTS = 3

/** Options for a deletion. */
export interface DeleteOptions {
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan'
  /** Deletes the object only if it still has this uid. */
  readonly uid?: string
  readonly signal?: AbortSignal
}

/**
 * Requests an object's deletion. Returns false when it no longer exists or has been replaced by an
 * object with another uid.
 */
export async function deleteObject(
  client: KubernetesClient,
  key: ObjectKey,
  { propagation = 'Background', uid, signal }: DeleteOptions = {},
): Promise<boolean> {
  const body = {
    propagationPolicy: propagation,
    ...(uid === undefined ? {} : { preconditions: { uid } }),
  }
  for (let attempt = 1; ; attempt++) {
    try {
      await client.send({
        method: 'DELETE',
        path: objectPath(key),
        body,
        ...(signal && { signal }),
      })
      return true
    } catch (error) {
      if (isKubernetesStatus(error, 404)) return false
      if (uid === undefined || !isKubernetesStatus(error, 409) || attempt === MAX_ATTEMPTS)
        throw error
    }
    // The object was deleted or changed while the API server processed the request.
    const found = await readObject(client, key, signal)
    if (found?.metadata.uid !== uid) return false
  }
}

/** Waits until an object no longer exists. Throws Conflict `still_terminating` on a timeout. */
export async function waitUntilGone(
  client: KubernetesClient,
  key: ObjectKey,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 1.5, 500)) {
    try {
      await client.send({ method: 'GET', path: objectPath(key), ...(signal && { signal }) })
    } catch (error) {
      if (isKubernetesStatus(error, 404)) return
      throw error
    }
    if (performance.now() + pauseMs > deadline) {
      throw new Conflict(
        'still_terminating',
        `the previous ${key.kind} ${key.name} is still being deleted; retry later`,
        {
          retryAfterMs: 5_000,
        },
      )
    }
    await sleepOrAbort(pauseMs, signal)
  }
}
