import { keyOf, type KubernetesObject, type ObjectMeta } from '../domain/kubernetes-object.ts'
import type { KubernetesClient } from './client.ts'
import { deleteObject, waitUntilGone } from './delete.ts'
import { isOverloaded, isQuotaConflict, KubernetesError } from './kubernetes-error.ts'
import { objectPath } from './paths.ts'
import { readObject } from './read.ts'
import { retryBriefly } from './retry.ts'

/** The field manager of this service, as `kubectl get --show-managed-fields` shows it. */
export const FIELD_MANAGER = 'slipway'

/** Query parameters of an apply. */
export const APPLY_QUERY = `fieldManager=${FIELD_MANAGER}&force=true`

/** Requests the metadata only, and also accepts the whole object. */
const METADATA_ONLY =
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json'
const GONE_TIMEOUT_MS = 15_000

/**
 * The state of an object after an apply. Comparing it shows whether the next apply changed the
 * object.
 */
export interface AppliedState {
  readonly uid: string
  readonly resourceVersion: string
  /** Changes with the object's spec; 0 for kinds without a generation. */
  readonly generation: number
  /** When the API server last changed a field that this field manager owns. */
  readonly managedTime: string
}

/** The outcome of applying an object. */
export interface AppliedObject {
  readonly outcome: 'created' | 'updated' | 'unchanged'
  readonly state: AppliedState
  readonly metadata: ObjectMeta
}

/** Options for an apply. */
export interface ApplyOptions {
  readonly previous?: AppliedState | undefined
  readonly signal?: AbortSignal
}

/**
 * Applies an object server-side, overriding changes by other field managers. An object whose
 * immutable fields must change is replaced, if its kind stores no data. Throws KubernetesError or
 * Unavailable.
 */
export async function applyObject(
  client: KubernetesClient,
  object: KubernetesObject,
  options: ApplyOptions = {},
): Promise<AppliedObject> {
  try {
    const applied = await patchObject(client, object, options)
    if (!applied.mustBeReplaced) return applied
  } catch (error) {
    if (!isImmutable(error)) throw error
    // The name of a Job contains the revision, so the existing Job has already done the work.
    if (object.kind === 'Job') return await keepObject(client, object, options)
    if (!isReplaceable(object)) throw error
  }
  return await replaceObject(client, object, options)
}

async function replaceObject(
  client: KubernetesClient,
  object: KubernetesObject,
  options: ApplyOptions,
): Promise<AppliedObject> {
  await deleteObject(client, keyOf(object), {
    // A stateful set's pods stay and are adopted by the new one. Its claims are never touched.
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
  const { statusCode, body } = await retryBriefly(
    () =>
      client.send<{ metadata: ObjectMeta; spec?: { clusterIP?: string } }>({
        method: 'PATCH',
        path: `${objectPath(keyOf(object))}?${APPLY_QUERY}`,
        body: object,
        contentType: 'application/apply-patch+yaml',
        // Only the metadata is needed, except for Services.
        accept: object.kind === 'Service' ? 'application/json' : METADATA_ONLY,
        ...(options.signal && { signal: options.signal }),
      }),
    (error) => isOverloaded(error) || isQuotaConflict(error),
    options.signal,
  )
  const state = stateOf(body.metadata)
  const outcome =
    statusCode === 201
      ? 'created'
      : isSame(object.kind, options.previous, state)
        ? 'unchanged'
        : 'updated'
  return {
    outcome,
    state,
    metadata: body.metadata,
    mustBeReplaced: mustBeReplaced(object, body),
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
 * Whether an apply changed nothing. Controllers update the status of objects, so a new resource
 * version alone doesn't mean a change. Quotas have a status, but no generation: a change in the
 * same second as the last one isn't noticed.
 */
function isSame(kind: string, before: AppliedState | undefined, after: AppliedState): boolean {
  if (before?.uid !== after.uid) return false
  if (before.resourceVersion === after.resourceVersion) return true
  return (
    (after.generation !== 0 || kind === 'ResourceQuota') &&
    before.generation === after.generation &&
    before.managedTime === after.managedTime
  )
}

/**
 * Whether an apply succeeded but had no effect: the API server silently keeps a Service headless,
 * and it accepts changes to an object that is being deleted.
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
/** The API server has no machine-readable reason for a change of an immutable field. */
const IMMUTABLE =
  /immutable|may not change once set|updates to statefulset spec for fields other than/i

/** Whether an object stores no data, so that it is replaced if an immutable field must change. */
export function isReplaceable({ kind }: KubernetesObject): boolean {
  return REPLACEABLE_KINDS.has(kind)
}

/** Whether the cluster rejected a change of a field that can't change. */
export function isImmutable(error: unknown): boolean {
  return (
    error instanceof KubernetesError &&
    error.statusCode === 422 &&
    IMMUTABLE.test(error.status.message ?? '')
  )
}
