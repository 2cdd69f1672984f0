import type { IncomingMessage, ServerResponse } from 'node:http'

import type { FastifyRequest } from 'fastify'

import type { App } from '../app-type.ts'

/** No route has this path. */
const NO_ROUTE = '/unreadable'

/**
 * Routes a request whose target can't be decoded to a path that doesn't exist. Fastify would
 * respond without running any hooks; this way the request gets the same rate limit, headers, log
 * line and metrics as any other.
 */
export function rerouteMalformedUrl(
  app: App,
  request: IncomingMessage & { originalUrl?: string | undefined },
  response: ServerResponse,
): void {
  request.originalUrl = request.url
  request.url = NO_ROUTE
  app.routing(request, response)
}

/** Whether `rerouteMalformedUrl` routed this request. */
export function isMalformedUrl({ url, originalUrl }: FastifyRequest): boolean {
  return url === NO_ROUTE && originalUrl !== NO_ROUTE
}
