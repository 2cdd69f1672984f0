import type { FastifyRequest } from 'fastify'

/**
 * Whether the API's conventions hold for a request: for all but the known routes beside the API,
 * which are health and the pages that describe it. The route says so, never the target's text: that
 * can be encoded or absolute.
 */
export function isInApi({ routeOptions: { url } }: FastifyRequest): boolean {
  return url === undefined || url.startsWith('/api/')
}
