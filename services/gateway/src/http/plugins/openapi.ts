import swagger, { type SwaggerTransform, type SwaggerTransformObject } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'

interface QuerySchema {
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, { readonly default?: unknown }>>
}

/** Serves the API document, built from the routes' schemas, and pages to browse it at `/docs`. */
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
      components: {
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      },
    },
    transform: withOptionalDefaults,
    transformObject: withSpans,
  })
  await app.register(swaggerUi, { routePrefix: '/docs' })
  app.get(
    '/api/v1/openapi.json',
    { config: { access: 'public' }, schema: { hide: true } },
    async () => app.swagger(),
  )
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

interface SpanSchema {
  readonly title: 'Span'
  readonly properties: { readonly children: object }
}

const SPAN = { $ref: '#/components/schemas/Span' }

/**
 * Makes the document's span schema refer to itself, since the children of a span are spans. In the
 * routes' schemas the children are free-form: a serializer can't be built for a recursive one.
 */
const withSpans: SwaggerTransformObject = (made) => {
  if (!('openapiObject' in made)) return made.swaggerObject
  let span: SpanSchema | undefined
  const text = JSON.stringify(made.openapiObject, (_key, value: unknown) => {
    if (!isSpan(value)) return value
    span = value
    return SPAN
  })
  const document = JSON.parse(text) as { components?: { schemas?: object } }
  if (span === undefined) return made.openapiObject
  const { properties } = span
  const named = {
    ...span,
    properties: { ...properties, children: { ...properties.children, items: SPAN } },
  }
  const components = {
    ...document.components,
    schemas: { ...document.components?.schemas, Span: named },
  }
  return { ...document, components } as typeof made.openapiObject
}

function isSpan(value: unknown): value is SpanSchema {
  return (
    typeof value === 'object' &&
    value !== null &&
    'properties' in value &&
    'title' in value &&
    value.title === 'Span'
  )
}
