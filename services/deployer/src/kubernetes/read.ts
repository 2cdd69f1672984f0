import { type KubernetesObject, type ObjectKey } from '../domain/kubernetes-object.ts'
import type { KubernetesClient } from './client.ts'
import { isKubernetesStatus } from './kubernetes-error.ts'
import { collectionPath, objectPath } from './paths.ts'

/** Reads an object; undefined when there is none. */
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

/** A list, with the version that a watch may go on from. */
export interface ObjectList<Type> {
  readonly items: readonly Type[]
  readonly resourceVersion: string
}

/** Which objects to list. */
export interface ListQuery {
  readonly apiVersion: string
  readonly kind: string
  /** Empty lists the whole cluster. */
  readonly namespace: string
  readonly labels?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/**
 * Lists objects, page by page. Items of a list come without apiVersion and kind; they are put back.
 */
export async function listObjects<Type extends KubernetesObject>(
  client: KubernetesClient,
  query: ListQuery,
): Promise<ObjectList<Type>> {
  const items: Type[] = []
  const parameters = new URLSearchParams({ limit: '500' })
  if (query.labels) parameters.set('labelSelector', selectorText(query.labels))
  for (;;) {
    const { body } = await client.send<{
      metadata: { resourceVersion: string; continue?: string }
      items: Type[]
    }>({
      method: 'GET',
      path: `${collectionPath(query.apiVersion, query.kind, query.namespace)}?${parameters.toString()}`,
      ...(query.signal && { signal: query.signal }),
    })
    for (const item of body.items)
      items.push({ ...item, apiVersion: query.apiVersion, kind: query.kind })
    if (!body.metadata.continue) return { items, resourceVersion: body.metadata.resourceVersion }
    parameters.set('continue', body.metadata.continue)
  }
}

/** An equality-based label selector. */
export function selectorText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
}
