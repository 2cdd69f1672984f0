import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { acceptedEncoding, type Encoding } from '../responses/accept-encoding.ts'
import { compress, MIN_COMPRESSED_BYTES } from '../responses/compression.ts'
import { digestOf, entityTag, matchesEtag } from '../responses/entity-tag.ts'
import { isJsonType } from '../responses/media-type.ts'
import { addVary } from '../responses/vary.ts'

/**
 * Adds a strong entity tag to each JSON response to a GET, returns 304 when the client has that
 * version, and compresses JSON of 1 KiB or more. Responses from memory already have their entity
 * tag and are not changed.
 */
export function addEtagAndCompression(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (
      reply.hasHeader('etag') ||
      (typeof payload !== 'string' && !Buffer.isBuffer(payload)) ||
      !isJson(reply)
    ) {
      return done(null, payload)
    }
    const body = typeof payload === 'string' ? Buffer.from(payload) : payload
    const isCompressible = body.length >= MIN_COMPRESSED_BYTES
    if (isCompressible) addVary(reply, 'Accept-Encoding')
    const encoding = isCompressible
      ? acceptedEncoding(request.headers['accept-encoding'])
      : undefined
    const isRead =
      reply.statusCode === 200 && (request.method === 'GET' || request.method === 'HEAD')
    if (isRead && isUnchanged(request, reply, body, encoding)) {
      reply.code(304)
      // Fastify drops the body of a response to HEAD, after it has measured it.
      return done(null, request.method === 'HEAD' ? payload : null)
    }
    if (encoding === undefined) return done(null, body)
    compress(encoding, body, (error, compressed) => {
      if (error !== null) return done(error)
      reply.header('content-encoding', encoding).removeHeader('content-length')
      done(null, compressed)
    })
  })
}

/** Sets the entity tag; returns whether the client sent the same one. */
function isUnchanged(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Buffer,
  encoding: Encoding | undefined,
): boolean {
  const etag = entityTag(digestOf(body), encoding)
  reply.header('etag', etag)
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-cache')
  return matchesEtag(request.headers['if-none-match'], etag)
}

function isJson(reply: FastifyReply): boolean {
  const type = reply.getHeader('content-type')
  return typeof type === 'string' && isJsonType(type)
}
