import type { FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** The configured origin; undefined: the one of each request. */
    readonly publicUrl: string | undefined
  }
}

/** Path of the metadata of the API as an OAuth resource (RFC 9728), before that of the resource. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource'

/** The path of the API, which is a resource with its own metadata. */
export const API_PATH = '/api/v1'

// Anything else could end the quoted string of a challenge, or change the path of a link.
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i

/**
 * The origin at which the client reaches the gateway: the configured one, or else that of the
 * request, in which a trusted proxy's `X-Forwarded-Proto` and `X-Forwarded-Host` count. Undefined
 * if the request names no valid host.
 */
export function publicOrigin({ server, host, protocol }: FastifyRequest): string | undefined {
  if (server.publicUrl !== undefined) return server.publicUrl
  if (!HOST.test(host)) return undefined
  const scheme = protocol === 'https' ? 'https' : 'http'
  return URL.parse(`${scheme}://${host}`)?.origin
}
