import type { FastifyInstance, RouteOptions } from 'fastify'
import { Type } from 'typebox'

import { isJsonType } from '../responses/media-type.ts'
import { responseHeaders, type AnswerTraits } from '../schemas/documented-headers.ts'
import { problems } from '../schemas/problem-schemas.ts'
import { takesIdempotencyKey } from './idempotency.ts'

const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{1,255}$',
      description:
        '1 to 255 visible ASCII characters. Repeating a request with the same key within 24 ' +
        'hours returns the first response and executes nothing, even if the user is no longer ' +
        'allowed to make the request.',
    }),
  ),
})

/** OpenAPI security by the access of a route. By default the document requires a token. */
const SECURITY = {
  public: { security: [] },
  optional: { security: [{}, { bearer: [] }] },
  user: {},
} as const

const NotModified = Type.Unsafe({
  description: 'Not modified since the entity tag of If-None-Match',
  type: 'null',
})

/**
 * Adds to each route's schema, and so to the API document, what the conventions add to the route:
 * whether it needs a token, the idempotency key, the common problems and the response headers.
 */
export function addCommonSchema(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { schema, url } = route
    if (!url.startsWith('/api/') || schema === undefined || schema.hide === true) return
    const traits = { takesKey: takesIdempotencyKey(route), readsJson: answersJson(route) }
    route.schema = {
      ...schema,
      ...SECURITY[route.config?.access ?? 'user'],
      ...(traits.takesKey ? { headers: IdempotencyHeaders } : {}),
      response: withHeaders(traits, {
        ...(schema.response as object),
        ...problems(
          429,
          500,
          503,
          ...(traits.takesKey ? [409, 422] : []),
          ...(acceptsBody(route) ? [413, 415] : []),
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

/** Whether requests can have a body, even if the route ignores it. */
function acceptsBody({ method }: RouteOptions): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

/** Whether responses are JSON with an entity tag. Those that are streamed have none. */
function answersJson({ method, schema, exposeHeadRoute }: RouteOptions): boolean {
  const success = (schema?.response as Record<string, { content?: object }> | undefined)?.['200']
  const content = success?.content
  return (
    method === 'GET' &&
    exposeHeadRoute !== false &&
    success !== undefined &&
    (content === undefined || Object.keys(content).some(isJsonType))
  )
}
