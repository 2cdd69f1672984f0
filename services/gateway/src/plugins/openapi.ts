import swagger, { type SwaggerTransform } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'

interface QuerySchema {
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, { readonly default?: unknown }>>
}

/** Makes the API document from the routes' own schemas, with a page for people at `/docs`. */
export async function addOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Slipway',
        version: 'v1',
        description: 'Agent catalog, deployment and observability.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
    transform: withOptionalDefaults,
  })
  await app.register(swaggerUi, { routePrefix: '/docs' })
}

/** Handlers find every parameter that has a default, so to them it is required; who asks may leave it out. */
const withOptionalDefaults: SwaggerTransform = ({ schema, url }) => {
  const query = schema?.querystring as QuerySchema | undefined
  if (query?.required === undefined) return { schema, url }
  const required = query.required.filter((name) => query.properties?.[name]?.default === undefined)
  return { schema: { ...schema, querystring: { ...query, required } }, url }
}
