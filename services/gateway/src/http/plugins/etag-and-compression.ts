import { hash } from 'node:crypto'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { acceptedEncoding, compress } from '../compression.ts'
import { MIN_COMPRESSED_BYTES } from '../../public-answers/answer.ts'
import { matchesEtag } from '../../public-answers/send.ts'

/**
 * Gives each JSON answer to a GET its strong entity tag, answers 304 to who has it already, and
 * compresses JSON that is worth it. What comes from memory has all that, and passes.
 */
export function addRepresentation(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (
      reply.hasHeader('etag') ||
      (typeof payload !== 'string' && !Buffer.isBuffer(payload)) ||
      !isJson(reply)
    ) {
      return done(null, payload)
    }
    const body = typeof payload === 'string' ? Buffer.from(payload) : payload
    const wanted =
      body.length < MIN_COMPRESSED_BYTES
        ? undefined
        : acceptedEncoding(request.headers['accept-encoding'])
    if (body.length >= MIN_COMPRESSED_BYTES) addVary(reply, 'Accept-Encoding')
    const isReading =
      reply.statusCode === 200 && (request.method === 'GET' || request.method === 'HEAD')
    if (isReading && isUnchanged(request, reply, body, wanted)) {
      reply.code(304)
      return done(null, null)
    }
    if (wanted === undefined) return done(null, payload)
    compress(wanted, body, (error, compressed) => {
      if (error !== null) return done(error)
      reply.header('content-encoding', wanted).removeHeader('content-length')
      done(null, compressed)
    })
  })
}

/** Whether a media type is JSON, or JSON of a kind such as `application/problem+json`. */
export function isJsonType(type: string): boolean {
  return /^application\/(?:\w+\+)?json(?:;|$)/.test(type)
}

/** Adds a name to the `Vary` header. */
export function addVary(reply: FastifyReply, name: string): void {
  const names = reply.getHeader('vary')
  reply.header('vary', names === undefined ? name : `${String(names)}, ${name}`)
}

function isUnchanged(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Buffer,
  encoding: string | undefined,
): boolean {
  const digest = hash('sha256', body, 'base64url')
  const etag = encoding === undefined ? `"${digest}"` : `"${digest}.${encoding}"`
  reply.header('etag', etag)
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-cache')
  return matchesEtag(request.headers['if-none-match'], etag)
}

function isJson(reply: FastifyReply): boolean {
  const type = reply.getHeader('content-type')
  return typeof type === 'string' && isJsonType(type)
}
