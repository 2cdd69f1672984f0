import swagger, { type FastifyDynamicSwaggerOptions, type SwaggerTransform } from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'

import { withComponents, type ApiDocument } from '../document/with-components.ts'

export const DOCUMENT_PATH = '/api/v1/openapi.json'

interface QuerySchema {
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, { readonly default?: unknown }>>
}

/** What the API document says about the whole API. */
export type ApiDescription = Pick<
  NonNullable<FastifyDynamicSwaggerOptions['openapi']>,
  'info' | 'tags' | 'externalDocs'
>

/** Makes the API document, built from the routes' schemas: `app.swagger()`. */
export async function addOpenApi(app: FastifyInstance, description: ApiDescription): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      ...description,
      servers: [{ url: '/', description: 'This server' }],
      security: [{ bearer: [] }],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description:
              'An access token (JWT) of one of the configured identity providers, or a machine ' +
              'token: `slipway_` and 49 letters and digits',
          },
        },
      },
    },
    transform: withOptionalDefaults,
    transformObject: (made) =>
      'openapiObject' in made
        ? (withComponents(made.openapiObject as ApiDocument) as typeof made.openapiObject)
        : made.swaggerObject,
  })
}

/**
 * Handlers always get a value for a parameter with a default, so the route's schema requires it. In
 * the document it is optional.
 */
const withOptionalDefaults: SwaggerTransform = ({ schema, url }) => {
  const query = schema?.querystring as QuerySchema | undefined
  if (query?.required === undefined) return { schema, url }
  const required = query.required.filter((name) => query.properties?.[name]?.default === undefined)
  return { schema: { ...schema, querystring: { ...query, required } }, url }
}
