import { type KubernetesObject, type ObjectKey } from '../domain/kubernetes-object.ts'
import type { KubernetesClient } from './client.ts'
import { isKubernetesStatus } from './kubernetes-error.ts'
import { collectionPath, objectPath } from './paths.ts'

/** Reads an object; undefined when it doesn't exist. */
export async function readObject<Type extends KubernetesObject>(
  client: KubernetesClient,
  key: ObjectKey,
  signal?: AbortSignal,
): Promise<Type | undefined> {
  try {
    const { body } = await client.send<Type>({
      method: 'GET',
      path: objectPath(key),
      ...(signal && { signal }),
    })
    return body
  } catch (error) {
    if (isKubernetesStatus(error, 404)) return undefined
    throw error
  }
}

/** A list of objects, and the version from which a watch can continue. */
export interface ObjectList<Type> {
  readonly items: readonly Type[]
  readonly resourceVersion: string
}

interface ListPage<Type> {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string }
  readonly items: readonly Type[]
}

/** Which objects to list. */
export interface ListQuery {
  readonly apiVersion: string
  readonly kind: string
  /** Empty means the whole cluster. */
  readonly namespace: string
  readonly labels?: Readonly<Record<string, string>>
  /** A label that the objects don't have. */
  readonly withoutLabel?: string
  readonly signal?: AbortSignal
}

/** Lists objects page by page, and adds apiVersion and kind, which items of a list don't have. */
export async function listObjects<Type extends KubernetesObject>(
  client: KubernetesClient,
  query: ListQuery,
): Promise<ObjectList<Type>> {
  const items: Type[] = []
  const path = collectionPath(query.apiVersion, query.kind, query.namespace)
  const parameters = new URLSearchParams({ limit: '500' })
  const selectors = [
    ...(query.labels ? [selectorText(query.labels)] : []),
    ...(query.withoutLabel === undefined ? [] : [`!${query.withoutLabel}`]),
  ]
  if (selectors.length > 0) parameters.set('labelSelector', selectors.join())
  for (;;) {
    const { body } = await client.send<ListPage<Type>>({
      method: 'GET',
      path: `${path}?${parameters.toString()}`,
      ...(query.signal && { signal: query.signal }),
    })
    for (const item of body.items)
      items.push({ ...item, apiVersion: query.apiVersion, kind: query.kind })
    if (!body.metadata.continue) return { items, resourceVersion: body.metadata.resourceVersion }
    parameters.set('continue', body.metadata.continue)
  }
}

/** Returns an equality-based label selector. */
export function selectorText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
}
