import { create, toBinary, toJson, type DescMessage, type MessageShape } from '@bufbuild/protobuf'
import { ExportTraceServiceResponseSchema } from '@slipway/proto/opentelemetry/proto/collector/trace/v1/trace_service'
import type { Span } from '@slipway/proto/opentelemetry/proto/trace/v1/trace'
import { StatusSchema } from '@slipway/proto/google/rpc/status'
import { measureHttpRequest } from '@slipway/shared/telemetry'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'

import type { SpanOwner } from '../domain/span.ts'
import { decompress } from './decompress.ts'
import { BadRequest, toHttpError } from './http-error.ts'
import { bearerToken, type IngestContext, type OtlpListener } from './ingest-context.ts'
import { spansOf } from './ingest.ts'
import { requestFromJson } from './otlp-json.ts'
import { spansInProtobuf } from './otlp-protobuf.ts'

const PROTOBUF = 'application/x-protobuf'
const JSON_TYPE = 'application/json'
/** How long a sender may take to deliver one request. */
const REQUEST_TIMEOUT_MS = 60_000

/**
 * Serves OTLP over HTTP: `POST /v1/traces` with protobuf or JSON, plain or gzipped. 200 means that every span that
 * isn't reported as rejected is stored. https://opentelemetry.io/docs/specs/otlp/#otlphttp
 */
export async function startOtlpHttp(address: string, context: IngestContext): Promise<OtlpListener> {
  const app = fastify({
    bodyLimit: context.settings.bodyBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: 'idle',
  })
  addExportRoute(app, context)
  const separator = address.lastIndexOf(':')
  const url = await app.listen({ host: address.slice(0, separator), port: Number(address.slice(separator + 1)) })
  return { address: new URL(url).host, [Symbol.asyncDispose]: () => app.close() }
}

function addExportRoute(app: FastifyInstance, context: IngestContext): void {
  const owners = new WeakMap<FastifyRequest, SpanOwner>()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser([PROTOBUF, JSON_TYPE], { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.setNotFoundHandler((request, reply) => reply.code(404).send({ code: 5, message: `no route ${request.url}` }))
  app.setErrorHandler(async (error, request, reply) => {
    const { status, code, message, retryAfterSeconds } = toHttpError(error)
    if (status >= 500) context.logger.warn({ err: error, status }, 'ingest_failed')
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
    if (status === 401) reply.header('www-authenticate', 'Bearer')
    return await send(reply.code(status), request, StatusSchema, create(StatusSchema, { code, message }))
  })

  app.addHook('onResponse', (request, reply, done) => {
    measureHttpRequest(
      request.method,
      request.routeOptions.url ?? 'unknown',
      reply.statusCode,
      reply.elapsedTime / 1000,
    )
    done()
  })

  app.post('/v1/traces', {
    // Before the body is read: strangers don't get to send any, and what there is no room for stays with its sender.
    async onRequest(request, reply) {
      owners.set(request, await context.tokens.resolve(bearerToken(request.headers.authorization)))
      const announced = Number(request.headers['content-length'] ?? context.settings.bodyBytes)
      if (announced > context.settings.bodyBytes) throw new BadRequest('the body is too large', undefined, 413)
      const taken = context.budget.take(announced)
      reply.raw.once('close', () => taken[Symbol.dispose]())
    },
    async handler(request, reply) {
      const owner = owners.get(request)
      if (owner === undefined) throw new Error('the request has no owner')
      const sent = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const body = await decompress(sent, request.headers['content-encoding'], context.settings.decodedBytes)
      using _decoded = context.budget.take(body === sent ? 0 : body.length)
      const answer = await context.ingest(owner, spansIn(body, isJson(request)))
      return await send(
        reply,
        request,
        ExportTraceServiceResponseSchema,
        create(ExportTraceServiceResponseSchema, answer),
      )
    },
  })
}

/** The spans of a body. What turns out to be no request, even halfway, is the sender's mistake. */
function* spansIn(body: Buffer, isJson: boolean): Iterable<Span> {
  try {
    yield* isJson ? spansOf(requestFromJson(body.toString('utf8'))) : spansInProtobuf(body)
  } catch (cause) {
    throw new BadRequest('the body is no OTLP trace request', cause)
  }
}

/** Answers in the encoding of the request, as OTLP wants it. */
async function send<Schema extends DescMessage>(
  reply: FastifyReply,
  request: FastifyRequest,
  schema: Schema,
  message: MessageShape<Schema>,
): Promise<FastifyReply> {
  if (isJson(request)) return await reply.type(JSON_TYPE).send(JSON.stringify(toJson(schema, message)))
  return await reply.type(PROTOBUF).send(Buffer.from(toBinary(schema, message)))
}

function isJson(request: FastifyRequest): boolean {
  return (request.headers['content-type'] ?? '').startsWith(JSON_TYPE)
}
