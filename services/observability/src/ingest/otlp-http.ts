import type { Readable } from 'node:stream'

import { create, toBinary, toJson, type DescMessage, type MessageShape } from '@bufbuild/protobuf'
import { ExportTraceServiceResponseSchema } from '@slipway/proto/opentelemetry/proto/collector/trace/v1/trace_service'
import { StatusSchema } from '@slipway/proto/google/rpc/status'
import { limitConnections } from '@slipway/shared/connection-limit'
import { DomainError } from '@slipway/shared/errors'
import { closeWithin, DRAIN_MS, hostAndPort, NOTICE_MS } from '@slipway/shared/rpc'
import { measureHttpRequest } from '@slipway/shared/telemetry'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'

import type { SpanOwner } from '../domain/span.ts'
import type { DecodedSpan } from './decoded-span.ts'
import { BadRequest, toHttpError } from './http-error.ts'
import type { IngestContext, OtlpListener } from './ingest-context.ts'
import { memoryOwner, Reservation } from './ingest-memory.ts'
import { spansInJson } from './otlp-json.ts'
import { spansInProtobuf } from './otlp-protobuf.ts'
import { decompress, readBody } from './read-body.ts'
import { sentToken } from './sent-token.ts'
import type { UnreadableSpan } from './unreadable-span.ts'

const PROTOBUF = 'application/x-protobuf'
const JSON_TYPE = 'application/json'
/** How often to check for slow senders. */
const TIMEOUT_CHECK_MS = 500

/** The sender of a request, known before its body is read. */
interface Sender {
  readonly owner: SpanOwner
  readonly reservation: Reservation
}

/**
 * Serves OTLP over HTTP: `POST /v1/traces` with protobuf or JSON, plain or gzipped. A 200 means
 * that all spans are stored except those reported as rejected.
 * https://opentelemetry.io/docs/specs/otlp/#otlphttp
 */
export async function startOtlpHttp(
  address: string,
  context: IngestContext,
  noticeMs: number = NOTICE_MS,
): Promise<OtlpListener> {
  const app = fastify({
    bodyLimit: context.settings.bodyBytes,
    requestTimeout: context.settings.bodyTimeoutMs,
    // Node applies the longer of the two timeouts to the body, so both are equal.
    http: {
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      headersTimeout: context.settings.bodyTimeoutMs,
    },
    forceCloseConnections: 'idle',
    // Requests that arrive while it closes are served, too.
    return503OnClosing: false,
  })
  limitConnections(app.server, context.settings.connectionsPerAddress, (client) => client)
  addExportRoute(app, context)
  const url = await app.listen(hostAndPort(address))
  const closing = { noticeMs, drainMs: DRAIN_MS, endCalls: () => undefined }
  return { address: new URL(url).host, [Symbol.asyncDispose]: () => closeWithin(app, closing) }
}

function addExportRoute(app: FastifyInstance, context: IngestContext): void {
  const { settings, tokens, memory } = context
  const senders = new WeakMap<FastifyRequest, Sender>()
  function senderOf(request: FastifyRequest): Sender {
    const sender = senders.get(request)
    if (sender === undefined) throw new Error('the request has no sender')
    return sender
  }

  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    [PROTOBUF, JSON_TYPE],
    async (request: FastifyRequest, body: Readable) => {
      const sender = senders.get(request)
      // A request without a route has no sender and is not read.
      return sender && (await readBody(body, settings.bodyBytes, sender.reservation))
    },
  )
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({ code: 5, message: `route ${request.url} not found` }),
  )
  app.setErrorHandler(async (error, request, reply) => {
    const { status, code, message, retryAfterSeconds } = toHttpError(error)
    if (status >= 500) context.logger.warn({ err: error, status }, 'ingest_failed')
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
    if (status === 401) reply.header('www-authenticate', 'Bearer')
    return await send(
      reply.code(status),
      request,
      StatusSchema,
      create(StatusSchema, { code, message }),
    )
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
    // Unauthorized requests are rejected before their body is read.
    async onRequest(request, reply) {
      const owner = await tokens.resolve(sentToken(request.headers.authorization), request.ip)
      const announced = Number(request.headers['content-length'] ?? 0)
      if (announced > settings.bodyBytes)
        throw new BadRequest(`the body is larger than ${settings.bodyBytes} bytes`, { status: 413 })
      const reservation = new Reservation(memory.open(memoryOwner(owner)))
      const reading = reservation.hold()
      reply.raw.once('close', () => reading[Symbol.dispose]())
      senders.set(request, { owner, reservation })
    },
    async handler(request, reply) {
      const { owner, reservation } = senderOf(request)
      // The spans are stored even if the sender disconnects.
      using _work = reservation.hold()
      const sent = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const isInJson = isJson(request)
      const maxBytes = isInJson
        ? Math.min(settings.jsonBytes, settings.decodedBytes)
        : settings.decodedBytes
      const body = await decompress(
        sent,
        request.headers['content-encoding'],
        maxBytes,
        reservation,
      )
      if (isInJson && body.length > settings.jsonBytes) {
        throw new BadRequest(`the JSON is larger than ${settings.jsonBytes} bytes`, { status: 413 })
      }
      const spans = isInJson
        ? spansInJson(body, (bytes) => reservation.grow(bytes))
        : spansInProtobuf(body)
      const answer = await context.ingest(owner, asBadRequest(spans), reservation)
      reply.headers((await context.spanQuota.open(owner.accountId)).headers)
      return await send(
        reply,
        request,
        ExportTraceServiceResponseSchema,
        create(ExportTraceServiceResponseSchema, answer),
      )
    },
  })
}

/** Reports a body that can't be decoded as the sender's mistake. */
function* asBadRequest(
  spans: Iterable<DecodedSpan | UnreadableSpan>,
): Iterable<DecodedSpan | UnreadableSpan> {
  try {
    yield* spans
  } catch (cause) {
    if (cause instanceof BadRequest || cause instanceof DomainError) throw cause
    throw new BadRequest('the body is not an OTLP trace request', { cause })
  }
}

/** Responds in the encoding of the request, as OTLP requires. */
async function send<Schema extends DescMessage>(
  reply: FastifyReply,
  request: FastifyRequest,
  schema: Schema,
  message: MessageShape<Schema>,
): Promise<FastifyReply> {
  if (isJson(request))
    return await reply.type(JSON_TYPE).send(JSON.stringify(toJson(schema, message)))
  return await reply.type(PROTOBUF).send(Buffer.from(toBinary(schema, message)))
}

function isJson(request: FastifyRequest): boolean {
  return (request.headers['content-type'] ?? '').startsWith(JSON_TYPE)
}
