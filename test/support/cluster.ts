import { ApiError, createApiClient, type ApiObject } from '@slipway/local/kubernetes-client'

import { fromStack } from './environment.ts'

/** The cluster as its administrator sees it. */
export const cluster = createApiClient(fromStack('KUBECONFIG'))

/** An object, or undefined when there is none. */
export async function find<Shape extends ApiObject>(path: string): Promise<Shape | undefined> {
  try {
    return (await cluster.call('GET', path)) as Shape
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

/** The objects of a collection. */
export async function list<Shape extends ApiObject>(path: string): Promise<Shape[]> {
  return ((await cluster.call('GET', path)) as { items: Shape[] }).items
}

/** A pod as far as tests look into it. */
export interface Pod extends ApiObject {
  readonly status: {
    readonly phase: string
    readonly conditions?: { readonly type: string; readonly status: string }[]
  }
}

/** The pods of a namespace that are ready and not on their way out. */
export async function readyPods(namespace: string): Promise<Pod[]> {
  const pods = await list<Pod>(`/api/v1/namespaces/${namespace}/pods`)
  return pods.filter(
    ({ metadata, status }) =>
      metadata.deletionTimestamp === undefined &&
      status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True'),
  )
}

/** Calls a Service through the API server's proxy; the path starts with a slash. */
export async function callService(
  namespace: string,
  service: string,
  port: number,
  path: string,
  body: unknown,
): Promise<unknown> {
  return await cluster.call(
    'POST',
    `/api/v1/namespaces/${namespace}/services/http:${service}:${port}/proxy${path}`,
    body,
  )
}
