import { STATUS_CODES } from 'node:http'
import { isDeepStrictEqual } from 'node:util'

import type { DocumentNotes } from '../schemas.ts'
import { mapMembers, type Json } from './members.ts'
import { withSharedResults } from './shared-results.ts'

/** The parts of an API document that are rewritten here. */
export interface ApiDocument {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components?: object
}

/** The components of a document, collected while its operations are rewritten. */
interface Components {
  readonly schemas: Map<string, Json>
  readonly parameters: Map<string, Json>
  readonly headers: Map<string, Json>
  readonly responses: Map<string, Json>
}

/** Keywords whose values are data and not schemas. */
const DATA = new Set(['const', 'default', 'enum', 'example', 'examples'])

/**
 * Makes a component of every schema with a title, of every header, and of the parameters and
 * problems that operations share, and refers to them. Otherwise the document would repeat each of
 * them for every operation, and generated clients would have as many types.
 */
export function withComponents(document: ApiDocument): ApiDocument {
  const components: Components = {
    schemas: new Map(),
    parameters: new Map(),
    headers: new Map(),
    responses: new Map(),
  }
  const separate = mapMembers(document.paths ?? {}, (_path, operations) =>
    mapMembers(operations, (_method, operation) =>
      operationOf(withNamedSchemas(operation, components.schemas) as Json, components),
    ),
  )
  const paths = withSharedResults(separate, components.responses)
  return {
    ...document,
    paths,
    components: {
      ...document.components,
      ...mapMembers({ ...components }, (_kind, named) => sortedMembers(named)),
    },
  }
}

function withNamedSchemas(value: unknown, schemas: Map<string, Json>): unknown {
  if (Array.isArray(value)) return value.map((each) => withNamedSchemas(each, schemas))
  if (!isObject(value)) return value
  const { 'x-document': notes = {}, ...rest } = value as { 'x-document'?: DocumentNotes } & Json
  const { as, use, only } = notes
  const use_ = use === undefined ? {} : { description: use }
  if (as !== undefined) return { ...referTo('schemas', as), ...use_ }
  const inner = mapMembers({ ...rest, ...only }, (key, member) =>
    DATA.has(key) ? member : withNamedSchemas(member, schemas),
  )
  if (typeof inner['title'] !== 'string' || !('type' in inner || 'anyOf' in inner))
    return { ...inner, ...use_ }
  const { title, ...schema } = inner
  define(schemas, title as string, schema)
  return { ...referTo('schemas', title as string), ...use_ }
}

/**
 * Defines a component. Its description and examples can be missing where it is the whole body or a
 * parameter, which then has them.
 */
function define(schemas: Map<string, Json>, name: string, schema: Json): void {
  const known = schemas.get(name)
  if (known !== undefined && !isDeepStrictEqual(constraintsOf(known), constraintsOf(schema)))
    throw new Error(`the API document has two different schemas named ${name}`)
  schemas.set(name, { ...known, ...schema })
}

function constraintsOf({ description: _description, examples: _examples, ...rest }: Json): Json {
  return rest
}

function operationOf(operation: Json, components: Components): Json {
  const { parameters, requestBody, responses } = operation
  return {
    ...operation,
    ...(Array.isArray(parameters)
      ? { parameters: parameters.map((each: Json) => parameterOf(each, components)) }
      : {}),
    ...(isObject(requestBody) ? { requestBody: requestBodyOf(requestBody) } : {}),
    responses: mapMembers(responses as Json, (status, response) =>
      responseOf(status, response as Json, components),
    ),
  }
}

/** The description of a parameter's use belongs to the parameter. */
function parameterOf({ schema, ...parameter }: Json, { parameters }: Components): Json {
  const { description, ...type } = schema as Json
  const use = description === undefined ? {} : { description }
  return shared(
    'parameters',
    parameters,
    `${String(parameter['name'])}.${String(parameter['in'])}`,
    {
      ...parameter,
      ...use,
      schema: type,
    },
  )
}

/** A body that may be null, which an empty body is for the route's schema, is optional. */
function requestBodyOf(body: Json): Json {
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

function responseOf(status: string, response: Json, { headers, responses }: Components): Json {
  const named = {
    ...response,
    headers: mapMembers((response['headers'] ?? {}) as Json, (name, header) => {
      headers.set(name, header as Json)
      return referTo('headers', name)
    }),
  }
  if (Number(status) < 300) return named
  const name = (STATUS_CODES[status] ?? status).replaceAll(/[^A-Za-z]/g, '')
  return shared('responses', responses, name, named)
}

/** Refers to the component of this name, unless an operation has another one of the same name. */
function shared(
  kind: keyof Components,
  components: Map<string, Json>,
  name: string,
  component: Json,
): Json {
  const first = components.get(name) ?? component
  components.set(name, first)
  return isDeepStrictEqual(first, component) ? referTo(kind, name) : component
}

function referTo(kind: keyof Components, name: string): Json {
  return { $ref: `#/components/${kind}/${name}` }
}

function sortedMembers(named: ReadonlyMap<string, Json>): Json {
  return Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}
