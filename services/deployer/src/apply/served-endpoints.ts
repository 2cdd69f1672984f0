import type { Endpoint } from '../domain/endpoint.ts'
import type { ComponentEndpoint } from '../manifests/render.ts'
import type { ObjectOutcome } from './apply-objects.ts'

/**
 * Returns the endpoints that are reachable: the cluster accepted their Service and, for external
 * ones, their Ingress.
 */
export function servedEndpoints(
  endpoints: readonly ComponentEndpoint[],
  outcomes: readonly Pick<ObjectOutcome, 'rendered' | 'result'>[],
): Endpoint[] {
  const refused = new Set(
    outcomes
      .filter(({ result }) => result.status === 'failed')
      .map(({ rendered, result }) => `${result.kind}/${rendered.component}`),
  )
  return endpoints.flatMap(({ component, name, url, type }) => {
    const isExternal = type === 'web' || type === 'webhook'
    const isServed =
      !refused.has(`Service/${component}`) && !(isExternal && refused.has(`Ingress/${component}`))
    return isServed ? { name, url, type } : []
  })
}
