import { backoffMs, sleepOrAbort } from '@slipway/shared/waiting'

import { keyOf, type KubernetesObject, type ObjectMeta } from '../domain/kubernetes-object.ts'
import type { KubernetesClient } from './client.ts'
import { deleteObject, waitUntilGone } from './delete.ts'
import { isOverloaded, KubernetesError } from './kubernetes-error.ts'
import { objectPath } from './paths.ts'
import { readObject } from './read.ts'

/** Owner of the fields that this service sets, as shown by `kubectl get --show-managed-fields`. */
export const FIELD_MANAGER = 'slipway'

const OVERLOAD_TRIES = 4
/**
 * After this time there is no further try: what fails slowly isn't overloaded, it waits for
 * something that is away.
 */
const OVERLOAD_MS = 2_000
const GONE_TIMEOUT_MS = 15_000

/** What is remembered of an object between two applies, to tell whether an apply changed it. */
export interface AppliedState {
  readonly uid: string
  readonly resourceVersion: string
  /** Changes with the object's spec; 0 for kinds that don't count it. */
  readonly generation: number
  /** When the API server last changed what this field manager owns. */
  readonly managedTime: string
}

/** What an apply did. */
export interface AppliedObject {
  readonly outcome: 'created' | 'updated' | 'unchanged'
  readonly state: AppliedState
  readonly metadata: ObjectMeta
}

/** How to apply. */
export interface ApplyOptions {
  readonly previous?: AppliedState | undefined
  readonly signal?: AbortSignal
  /** Ask for everything, change nothing. */
  readonly dryRun?: boolean
}

/**
 * Applies an object server-side. Fields that others have changed are taken back. An object that
 * can't be changed into what is wanted is made anew where nothing is lost by it. Throws
 * KubernetesError or Unavailable.
 */
export async function applyObject(
  client: KubernetesClient,
  object: KubernetesObject,
  options: ApplyOptions = {},
): Promise<AppliedObject> {
  try {
    const applied = await patchObject(client, object, options)
    if (options.dryRun || !applied.mustBeReplaced) return applied
  } catch (error) {
    if (!isImmutable(error)) throw error
    // A Job of this name has done what there was to do: its name holds the revision.
    if (object.kind === 'Job' || options.dryRun) return await keepObject(client, object, options)
    if (!REPLACEABLE_KINDS.has(object.kind)) throw error
  }
  return await replaceObject(client, object, options)
}

async function replaceObject(
  client: KubernetesClient,
  object: KubernetesObject,
  options: ApplyOptions,
): Promise<AppliedObject> {
  await deleteObject(client, keyOf(object), {
    // The pods of a stateful set stay, and the new one takes them over; their claims are never
    // touched.
    propagation: object.kind === 'StatefulSet' ? 'Orphan' : 'Background',
    ...(options.signal && { signal: options.signal }),
  })
  await waitUntilGone(client, keyOf(object), GONE_TIMEOUT_MS, options.signal)
  return { ...(await patchObject(client, object, options)), outcome: 'updated' }
}

async function keepObject(
  client: KubernetesClient,
  object: KubernetesObject,
  { signal }: ApplyOptions,
): Promise<AppliedObject> {
  const found = await readObject(client, keyOf(object), signal)
  const { metadata } = found ?? object
  return { outcome: 'unchanged', state: stateOf(metadata), metadata }
}

async function patchObject(
  client: KubernetesClient,
  object: KubernetesObject,
  options: ApplyOptions,
): Promise<AppliedObject & { readonly mustBeReplaced: boolean }> {
  const query = `fieldManager=${FIELD_MANAGER}&force=true${options.dryRun ? '&dryRun=All' : ''}`
  const lastTry = performance.now() + OVERLOAD_MS
  for (let attempt = 1; ; attempt++) {
    try {
      const { statusCode, body } = await client.send<{
        metadata: ObjectMeta
        spec?: { clusterIP?: string }
      }>({
        method: 'PATCH',
        path: `${objectPath(keyOf(object))}?${query}`,
        body: object,
        contentType: 'application/apply-patch+yaml',
        // The answer is read for its metadata alone, but for a Service's.
        accept: `${object.kind === 'Service' ? '' : 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,'}application/json`,
        ...(options.signal && { signal: options.signal }),
      })
      const state = stateOf(body.metadata)
      const outcome =
        statusCode === 201 ? 'created' : isSame(options.previous, state) ? 'unchanged' : 'updated'
      return {
        outcome,
        state,
        metadata: body.metadata,
        mustBeReplaced: mustBeReplaced(object, body),
      }
    } catch (error) {
      if (!isOverloaded(error) || attempt === OVERLOAD_TRIES || performance.now() > lastTry)
        throw error
      await sleepOrAbort(backoffMs(attempt, { mostMs: Infinity }), options.signal)
    }
  }
}

function stateOf(metadata: ObjectMeta): AppliedState {
  const managed = metadata.managedFields?.find(
    ({ manager, operation }) => manager === FIELD_MANAGER && operation === 'Apply',
  )
  return {
    uid: metadata.uid ?? '',
    resourceVersion: metadata.resourceVersion ?? '',
    generation: metadata.generation ?? 0,
    managedTime: managed?.time ?? '',
  }
}

/**
 * Controllers write an object's status, so another resource version alone doesn't mean that the
 * apply changed it.
 */
function isSame(before: AppliedState | undefined, after: AppliedState): boolean {
  if (before?.uid !== after.uid) return false
  if (before.resourceVersion === after.resourceVersion) return true
  return (
    after.generation !== 0 &&
    before.generation === after.generation &&
    before.managedTime === after.managedTime
  )
}

/**
 * Without a word, the API server keeps a Service headless, and hands out an object that is being
 * deleted as if it weren't.
 */
function mustBeReplaced(
  object: KubernetesObject & { readonly spec?: { readonly clusterIP?: string } },
  { metadata, spec }: { metadata: ObjectMeta; spec?: { clusterIP?: string } },
): boolean {
  if (object.kind === 'Service' && spec?.clusterIP === 'None')
    return object.spec?.clusterIP !== 'None'
  return metadata.deletionTimestamp !== undefined && object.kind !== 'Namespace'
}

const REPLACEABLE_KINDS: ReadonlySet<string> = new Set([
  'ConfigMap',
  'Deployment',
  'Secret',
  'Service',
  'StatefulSet',
])
/** The API server has no machine word for "this field can't be changed any more". */
const IMMUTABLE =
  /immutable|may not change once set|updates to statefulset spec for fields other than/i

function isImmutable(error: unknown): boolean {
  return (
    error instanceof KubernetesError &&
    error.statusCode === 422 &&
    IMMUTABLE.test(error.status.message ?? '')
  )
}
