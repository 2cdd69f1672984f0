import { ApiError, createApiClient, type ApiObject } from '@slipway/local/kubernetes/client'
import { waitFor } from '@slipway/testing'

import { fromStack } from './environment.ts'

/** The cluster as its administrator sees it. */
export const cluster = createApiClient(fromStack('KUBECONFIG'))

/** Reads an object; undefined when it doesn't exist. */
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

/** The parts of a pod that tests use. */
export interface Pod extends ApiObject {
  readonly status: {
    readonly phase: string
    readonly conditions?: { readonly type: string; readonly status: string }[]
  }
}

/** The pods of a namespace that are ready and not terminating. */
export async function readyPods(namespace: string): Promise<Pod[]> {
  const pods = await list<Pod>(`/api/v1/namespaces/${namespace}/pods`)
  return pods.filter(isReady)
}

function isReady(pod: Pod | undefined): boolean {
  const conditions =
    pod?.metadata.deletionTimestamp === undefined ? pod?.status.conditions : undefined
  return conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true
}

/**
 * Waits until a component has one pod and it is ready: then the previous ones have ended, and the
 * Service forwards to none of them.
 */
export async function untilReplaced(namespace: string, component: string): Promise<Pod> {
  const selector = encodeURIComponent(`app.kubernetes.io/component=${component}`)
  return await waitFor(
    async () => {
      const pods = await list<Pod>(`/api/v1/namespaces/${namespace}/pods?labelSelector=${selector}`)
      return pods.length === 1 && isReady(pods[0]) ? pods[0] : undefined
    },
    { what: `one pod of ${component}` },
  )
}

/** Errors of the API server's proxy before it has sent the request to a pod. */
const NOT_SENT = /no endpoints available|error trying to reach service: dial tcp/

/**
 * Calls a Service through the API server's proxy, with POST if there is a body; the path starts
 * with a slash. Waits until the Service has endpoints, which is a moment after a pod is ready, and
 * none of a pod that has ended.
 */
export async function callService(
  namespace: string,
  service: string,
  port: number,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const proxy = `/api/v1/namespaces/${namespace}/services/http:${service}:${port}/proxy`
  const called = await waitFor(
    async () => {
      try {
        return {
          answer: await cluster.call(body === undefined ? 'GET' : 'POST', `${proxy}${path}`, body),
        }
      } catch (error) {
        if (error instanceof ApiError && NOT_SENT.test(error.message)) throw error
        return { error }
      }
    },
    { what: `endpoints of ${service}` },
  )
  if ('error' in called) throw called.error
  return called.answer
}
