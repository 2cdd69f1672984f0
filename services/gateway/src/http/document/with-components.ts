import { isDeepStrictEqual } from 'node:util'

import type { DocumentNotes } from '../schemas/kinds.ts'
import { mapMembers, mapOperations, type Json, type Paths } from './members.ts'
import { withSharedParts } from './shared-parts.ts'

/** The parts of an API document that are rewritten here. */
export interface ApiDocument {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components?: object
}

/** Components by name, collected while operations are rewritten. */
type Components = Map<string, Json>

/** Keywords whose values are data and not schemas. */
const DATA = new Set(['const', 'default', 'enum', 'example', 'examples'])

/**
 * Makes a component of every schema with a title, of every header, and of the parameters and
 * responses that operations share, and refers to them. Otherwise the document would repeat each of
 * them for every operation, and generated clients would have as many types.
 */
export function withComponents(document: ApiDocument): ApiDocument {
  const schemas: Components = new Map()
  const headers: Components = new Map()
  const separate = mapOperations((document.paths ?? {}) as Paths, (operation) =>
    operationOf(withNamedSchemas(operation, schemas) as Json, headers),
  )
  const { paths, ...shared } = withSharedParts(separate)
  return {
    ...document,
    paths,
    components: {
      ...document.components,
      ...mapMembers({ schemas, headers, ...shared }, (_kind, named) => sortedMembers(named)),
    },
  }
}

function withNamedSchemas(value: unknown, schemas: Components): unknown {
  if (Array.isArray(value)) return value.map((each) => withNamedSchemas(each, schemas))
  if (!isObject(value)) return value
  const { 'x-document': notes = {}, ...rest } = value as { 'x-document'?: DocumentNotes } & Json
  const { as, use, only } = notes
  const inUse = (schema: Json): Json =>
    use === undefined ? schema : { ...schema, description: use }
  if (as !== undefined) return inUse(schemaNamed(as))
  const inner = mapMembers({ ...rest, ...only }, (key, member) =>
    DATA.has(key) ? member : withNamedSchemas(member, schemas),
  )
  if (typeof inner['title'] !== 'string' || !('type' in inner || 'anyOf' in inner))
    return inUse(inner)
  const { title, ...schema } = inner
  define(schemas, title as string, schema)
  return inUse(schemaNamed(title as string))
}

/**
 * Defines a component. Its description and examples can be missing where it is the whole body or a
 * parameter, which then has them.
 */
function define(schemas: Components, name: string, schema: Json): void {
  const known = schemas.get(name)
  if (known !== undefined && !isDeepStrictEqual(constraintsOf(known), constraintsOf(schema)))
    throw new Error(`the API document has two different schemas named ${name}`)
  schemas.set(name, { ...known, ...schema })
}

function constraintsOf({ description: _description, examples: _examples, ...rest }: Json): Json {
  return rest
}

function schemaNamed(name: string): Json {
  return { $ref: `#/components/schemas/${name}` }
}

function operationOf(operation: Json, headers: Components): Json {
  const { parameters, requestBody, responses } = operation
  return {
    ...operation,
    ...(Array.isArray(parameters) ? { parameters: parameters.map(parameterOf) } : {}),
    ...(isObject(requestBody) ? { requestBody: requestBodyOf(requestBody) } : {}),
    responses: mapMembers(responses as Json, (_status, response) =>
      responseOf(response as Json, headers),
    ),
  }
}

/** The description of a parameter's use belongs to the parameter. By default it is optional. */
function parameterOf({ schema, required, ...parameter }: Json): Json {
  const { description, ...type } = schema as Json
  return {
    ...parameter,
    ...(required === true ? { required } : {}),
    ...(description === undefined ? {} : { description }),
    schema: type,
  }
}

/**
 * A body that may be null, which an empty body is for the route's schema, is optional. The body's
 * description is that of its schema.
 */
function requestBodyOf({ description: _description, ...body }: Json): Json {
  let isOptional = false
  const content = mapMembers(body['content'] as Json, (_type, media) => {
    const { schema, ...rest } = media as { readonly schema: { readonly anyOf?: readonly Json[] } }
    const bodies = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
    if (bodies.length === schema.anyOf?.length || bodies.length !== 1) return media
    isOptional = true
    return { ...rest, schema: bodies[0] }
  })
  return { ...body, required: !isOptional, content }
}

function responseOf(response: Json, headers: Components): Json {
  return {
    ...response,
    headers: mapMembers((response['headers'] ?? {}) as Json, (name, header) => {
      headers.set(name, header as Json)
      return { $ref: `#/components/headers/${name}` }
    }),
  }
}

function sortedMembers(named: ReadonlyMap<string, Json>): Json {
  return Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}
