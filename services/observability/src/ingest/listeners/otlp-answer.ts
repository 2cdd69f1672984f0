import { create, toBinary, toJson, type DescMessage, type MessageShape } from '@bufbuild/protobuf'
import { StatusSchema } from '@slipway/proto/google/rpc/status'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The content types of OTLP over HTTP. */
export const PROTOBUF = 'application/x-protobuf'
export const JSON_TYPE = 'application/json'

export function isJson(request: FastifyRequest): boolean {
  return hasType(request, JSON_TYPE)
}

/** Responds in the encoding of the request, as OTLP requires. */
export async function answer<Schema extends DescMessage>(
  reply: FastifyReply,
  request: FastifyRequest,
  schema: Schema,
  message: MessageShape<Schema>,
): Promise<FastifyReply> {
  return isJson(request)
    ? await asJson(reply, schema, message)
    : await asProtobuf(reply, schema, message)
}

/**
 * Responds with an error in the encoding of the request, or in JSON, which people can read, if the
 * request is in neither. `code` is that of gRPC.
 */
export async function answerError(
  reply: FastifyReply,
  request: FastifyRequest,
  error: { readonly code: number; readonly message: string },
): Promise<FastifyReply> {
  const status = create(StatusSchema, error)
  return hasType(request, PROTOBUF)
    ? await asProtobuf(reply, StatusSchema, status)
    : await asJson(reply, StatusSchema, status)
}

async function asJson<Schema extends DescMessage>(
  reply: FastifyReply,
  schema: Schema,
  message: MessageShape<Schema>,
): Promise<FastifyReply> {
  return await reply.type(JSON_TYPE).send(JSON.stringify(toJson(schema, message)))
}

async function asProtobuf<Schema extends DescMessage>(
  reply: FastifyReply,
  schema: Schema,
  message: MessageShape<Schema>,
): Promise<FastifyReply> {
  return await reply.type(PROTOBUF).send(Buffer.from(toBinary(schema, message)))
}

function hasType(request: FastifyRequest, type: string): boolean {
  // Media types are case-insensitive, and parameters follow them (RFC 9110, 8.3.1).
  const [sent = ''] = (request.headers['content-type'] ?? '').split(';', 1)
  return sent.trim().toLowerCase() === type
}
