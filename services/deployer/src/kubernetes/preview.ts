import { keyOf, type KubernetesObject } from '../domain/kubernetes-object.ts'
import { APPLY_QUERY, isImmutable, isReplaceable } from './apply.ts'
import type { KubernetesClient } from './client.ts'
import { isKubernetesStatus, isOverloaded, isQuotaConflict } from './kubernetes-error.ts'
import { objectPath } from './paths.ts'
import { readObject } from './read.ts'
import { retryBriefly } from './retry.ts'

/** What an apply would make of an object. */
export interface Preview {
  /** Undefined if the object doesn't exist. */
  readonly before: KubernetesObject | undefined
  /** After the apply; `replaced` if the apply would delete and create the object. */
  readonly after: KubernetesObject
  readonly replaced: boolean
}

/** Kinds that the deployer may patch but not read. */
const UNREADABLE_KINDS: ReadonlySet<string> = new Set(['LimitRange', 'ResourceQuota'])

/**
 * Runs an apply of an object as a dry run, and returns it before and after. Throws KubernetesError
 * if the cluster would reject it, or Unavailable.
 */
export async function previewObject(
  client: KubernetesClient,
  object: KubernetesObject,
  signal: AbortSignal,
): Promise<Preview> {
  const before = await readBefore(client, object, signal)
  try {
    const after = await patchDry(client, object, {
      query: APPLY_QUERY,
      body: object,
      contentType: 'application/apply-patch+yaml',
      signal,
    })
    return { before, after, replaced: false }
  } catch (error) {
    if (before === undefined || !isImmutable(error)) throw error
    // The name of a Job contains the revision, so the existing Job has already done the work.
    if (object.kind === 'Job') return { before, after: before, replaced: false }
    if (!isReplaceable(object)) throw error
    return { before, after: object, replaced: true }
  }
}

async function readBefore(
  client: KubernetesClient,
  object: KubernetesObject,
  signal: AbortSignal,
): Promise<KubernetesObject | undefined> {
  if (!UNREADABLE_KINDS.has(object.kind)) return await readObject(client, keyOf(object), signal)
  try {
    // A patch that changes nothing returns the object.
    const contentType = 'application/merge-patch+json'
    return await patchDry(client, object, { query: '', body: {}, contentType, signal })
  } catch (error) {
    if (isKubernetesStatus(error, 404)) return undefined
    throw error
  }
}

async function patchDry(
  client: KubernetesClient,
  object: KubernetesObject,
  patch: {
    readonly query: string
    readonly body: object
    readonly contentType: string
    readonly signal: AbortSignal
  },
): Promise<KubernetesObject> {
  const { query, body, contentType, signal } = patch
  const answer = await retryBriefly(
    () =>
      client.send<KubernetesObject>({
        method: 'PATCH',
        path: `${objectPath(keyOf(object))}?${query}&dryRun=All`,
        body,
        contentType,
        signal,
      }),
    (error) => isOverloaded(error) || isQuotaConflict(error),
    signal,
  )
  return answer.body
}
