import type { FastifyRequest } from 'fastify'

/**
 * Whether the API's conventions apply to a request. They don't for the health routes and the pages
 * under `/docs`; they do for unknown paths. Checks the matched route, because the request target
 * can be percent-encoded or absolute.
 */
export function isInApi({ routeOptions: { url } }: FastifyRequest): boolean {
  return url === undefined || url.startsWith('/api/')
}

/** Whether requests count against the limits of their sender. Only health checks don't. */
export function isLimited({ routeOptions: { url } }: FastifyRequest): boolean {
  return url !== '/livez' && url !== '/readyz'
}
