import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

import { request } from '../../support/api.ts'

/** The parts of a JSON Schema that tests use. */
export interface Schema {
  /** Path of another schema in the document, as `#/components/schemas/Span`. */
  readonly $ref?: string
  readonly type?: string
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly additionalProperties?: unknown
}

interface DocumentedResponse {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

/** The document's description of a route. */
export interface Operation {
  readonly tags?: readonly string[]
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly schema: Schema
  }[]
  readonly requestBody?: {
    readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
  }
  readonly security?: readonly unknown[]
  readonly responses: Readonly<Record<string, DocumentedResponse>>
}

/** The tags of the catalog's routes. */
export const CATALOG_TAGS = ['agents', 'accounts']

/** The API document by route. Routes are written as `GET /agents`, without `/api/v1`. */
export interface ApiDocument {
  readonly operations: ReadonlyMap<string, Operation>
  /** How a response differs from the document; undefined when it doesn't. */
  problemWith(route: string, status: number, contentType: string, body: unknown): string | undefined
}

/** Reads the document from the gateway. */
export async function readApiDocument(): Promise<ApiDocument> {
  const { body } = await request('GET', '/openapi.json')
  const paths = inlined(body.paths, body) as Record<string, Record<string, Operation>>
  const operations = new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        `${method.toUpperCase()} ${path.replace('/api/v1', '')}`,
        operation,
      ]),
    ),
  )
  const components = body.components as { readonly schemas?: Readonly<Record<string, Schema>> }
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const validators = new WeakMap<Schema, ValidateFunction>()
  return {
    operations,
    problemWith(route, status, contentType, body) {
      const response = operations.get(route)?.responses[String(status)]
      if (response === undefined) return `${status} is not documented`
      const mediaType = contentType.split(';', 1)[0] ?? ''
      const schema = response.content?.[mediaType]?.schema
      if (schema === undefined) return `${mediaType} is not documented for ${status}`
      const validate = validators.get(schema) ?? ajv.compile({ ...schema, components })
      validators.set(schema, validate)
      if (!validate(body)) return ajv.errorsText(validate.errors)
      return undocumentedMember(schema, body, '', components.schemas)
    },
  }
}

/** The value with its references to components replaced, except those within themselves. */
function inlined(value: unknown, document: unknown, within: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((each) => inlined(each, document, within))
  if (typeof value !== 'object' || value === null) return value
  if ('$ref' in value && typeof value.$ref === 'string') {
    const { $ref } = value
    if (within.includes($ref)) return { $ref }
    const target = $ref
      .split('/')
      .slice(1)
      .reduce((parent, name) => (parent as Record<string, unknown>)[name], document)
    return inlined(target, document, [...within, $ref])
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, inlined(member, document, within)]),
  )
}

/** The paths of all members in a schema, as `.agents[].name`. */
export function pathsOf({ properties = {}, items, anyOf = [] }: Schema, path = ''): string[] {
  return [
    ...Object.entries(properties).flatMap(([name, member]) => [
      `${path}.${name}`,
      ...pathsOf(member, `${path}.${name}`),
    ]),
    ...(items === undefined ? [] : pathsOf(items, `${path}[]`)),
    ...anyOf.flatMap((each) => pathsOf(each, path)),
  ]
}

/** The paths of all members of a value, written as by `pathsOf`. */
export function pathsIn(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, `${path}[]`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [
    `${path}.${name}`,
    ...pathsIn(member, `${path}.${name}`),
  ])
}

/** Finds a member of a value that its schema doesn't have. */
function undocumentedMember(
  schema: Schema,
  value: unknown,
  path: string,
  named: Readonly<Record<string, Schema>> = {},
): string | undefined {
  const { $ref } = schema
  if ($ref !== undefined) {
    const target = named[$ref.replace('#/components/schemas/', '')]
    return target === undefined
      ? `${$ref} is not in the document`
      : undocumentedMember(target, value, path, named)
  }
  if (Array.isArray(value)) {
    const { items } = schema
    return (
      items &&
      value
        .map((item, index) => undocumentedMember(items, item, `${path}/${index}`, named))
        .find(Boolean)
    )
  }
  if (typeof value !== 'object' || value === null || schema.additionalProperties !== undefined)
    return undefined
  const { properties } = schema
  if (properties === undefined) return undefined
  for (const [name, member] of Object.entries(value)) {
    const known = properties[name]
    if (known === undefined) return `${path}/${name} is not documented`
    const problem = undocumentedMember(known, member, `${path}/${name}`, named)
    if (problem !== undefined) return problem
  }
  return undefined
}
