import type { FastifyInstance, RouteOptions } from 'fastify'
import { Type } from 'typebox'

import { problems } from '../schemas.ts'
import { responseHeaders, type AnswerTraits } from '../response-headers.ts'
import { takesIdempotencyKey } from './idempotency.ts'
import { isJsonType } from './etag-and-compression.ts'

const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{1,255}$',
      description:
        '1 to 255 visible ASCII characters. The same request of the same user again within 24 hours gets the same answer, ' +
        'also when the user could not make it any more, and nothing is done again.',
    }),
  ),
})

/** As OpenAPI says it: nothing, or a token. */
const MAY_HAVE_TOKEN = [{}, { bearer: [] }]

const NotModified = Type.Unsafe({
  description: 'Not modified since the entity tag of If-None-Match',
  type: 'null',
})

/**
 * Writes into each route's schema, and so into the API document, what the conventions add to it.
 */
export function addConventionsToSchemas(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { schema, url } = route
    if (!url.startsWith('/api/') || schema === undefined || schema.hide === true) return
    const traits = { takesKey: takesIdempotencyKey(route), readsJson: answersJson(route) }
    route.schema = {
      ...schema,
      ...(route.config?.access === 'optional' ? { security: MAY_HAVE_TOKEN } : {}),
      ...(traits.takesKey ? { headers: IdempotencyHeaders } : {}),
      response: withHeaders(traits, {
        ...(schema.response as object),
        ...problems(
          429,
          500,
          ...(traits.takesKey ? [409, 422] : []),
          ...(canBring(route) ? [413, 415] : []),
        ),
        ...(traits.readsJson ? { 304: NotModified } : {}),
      }),
    }
  })
}

function withHeaders(
  traits: AnswerTraits,
  responses: Readonly<Record<string, object>>,
): Record<string, object> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      { ...response, headers: responseHeaders(Number(status), traits) },
    ]),
  )
}

/** Whether a request can bring a body, be it one that nobody wants. */
function canBring({ method }: RouteOptions): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

function answersJson({ method, schema }: RouteOptions): boolean {
  const success = (schema?.response as Record<string, { content?: object }> | undefined)?.['200']
  const content = success?.content
  return (
    method === 'GET' &&
    success !== undefined &&
    (content === undefined || Object.keys(content).some(isJsonType))
  )
}
