import type { IncomingMessage, ServerResponse } from 'node:http'

import type { FastifyRequest } from 'fastify'

import type { App } from './app-type.ts'

/** No route has it. */
const NOWHERE = '/unreadable'

/**
 * Takes up a request whose target the router can't decode, for which it would run no hooks: as one
 * for a path that isn't, it has the limit, headers, log line and measure of any other.
 */
export function rerouteMalformedUrl(
  app: App,
  request: IncomingMessage & { originalUrl?: string | undefined },
  response: ServerResponse,
): void {
  request.originalUrl = request.url
  request.url = NOWHERE
  app.routing(request, response)
}

/** Whether a request was taken up so. */
export function isUnreadable({ url, originalUrl }: FastifyRequest): boolean {
  return url === NOWHERE && originalUrl !== NOWHERE
}
