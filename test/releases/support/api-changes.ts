import { schemaChanges, type Resolve, type Schema } from './schema-changes.ts'

/** A description of an API, as far as changes are found in it. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: unknown
}

interface Operation {
  readonly operationId?: string
  readonly security?: readonly object[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Schema
}

interface Response {
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Content
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

/**
 * Returns the changes from one API document to a later one that a client of the first could notice:
 * what it sends is refused or ignored, or what it reads is missing or different. Values may be
 * added to the enumerations of responses.
 */
export function breakingChanges(before: ApiDocument, after: ApiDocument): readonly string[] {
  const [old, now] = [resolverOf(before), resolverOf(after)]
  return Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`
      const found = after.paths[path]?.[method]
      if (found === undefined) return [`${name}: removed`]
      return operationChanges(operation, found, old, now).map((change) => `${name}: ${change}`)
    }),
  )
}

function operationChanges(
  before: Operation,
  after: Operation,
  old: Resolve,
  now: Resolve,
): readonly string[] {
  return [
    ...(before.operationId === after.operationId ? [] : [`operationId ${after.operationId}`]),
    ...(isOpen(before) && !isOpen(after) ? ['needs a token'] : []),
    ...parameterChanges(before, after, old, now),
    ...bodyChanges(before, after, old, now),
    ...Object.entries(before.responses).flatMap(([status, response]) =>
      responseChanges(old(response), now(after.responses[status]), old, now).map(
        (change) => `response ${status}: ${change}`,
      ),
    ),
  ]
}

/** Whether no token is needed. */
function isOpen({ security }: Operation): boolean {
  return (
    security !== undefined &&
    (security.length === 0 || security.some((each) => Object.keys(each).length === 0))
  )
}

function parameterChanges(
  before: Operation,
  after: Operation,
  old: Resolve,
  now: Resolve,
): readonly string[] {
  const byName = ({ parameters = [] }: Operation, resolve: Resolve) =>
    new Map(
      parameters.map((each) => resolve(each)).map((each) => [`${each.in} ${each.name}`, each]),
    )
  const [known, found] = [byName(before, old), byName(after, now)]
  const changed = [...known].flatMap(([name, parameter]) => {
    const later = found.get(name)
    if (later === undefined) return [`parameter ${name}: removed`]
    return [
      ...(later.required === true && parameter.required !== true ? ['became required'] : []),
      ...schemaChanges(parameter.schema, later.schema, { direction: 'request', old, now }),
    ].map((change) => `parameter ${name}: ${change}`)
  })
  const demanded = [...found].filter(([name, { required }]) => required && !known.has(name))
  return [...changed, ...demanded.map(([name]) => `parameter ${name}: added as required`)]
}

function bodyChanges(
  { requestBody: before }: Operation,
  { requestBody: after }: Operation,
  old: Resolve,
  now: Resolve,
): readonly string[] {
  const isDemanded = after?.required === true && before?.required !== true
  const changes = contentChanges(before?.content, after?.content, 'request', old, now)
  return [...(isDemanded ? ['became required'] : []), ...changes].map((each) => `body: ${each}`)
}

function responseChanges(
  before: Response,
  after: Response | undefined,
  old: Resolve,
  now: Resolve,
): readonly string[] {
  if (after === undefined) return ['removed']
  const lost = Object.keys(before.headers ?? {}).filter((name) => !(name in (after.headers ?? {})))
  return [
    ...lost.map((name) => `header ${name}: removed`),
    ...contentChanges(before.content, after.content, 'response', old, now),
  ]
}

function contentChanges(
  before: Content = {},
  after: Content = {},
  direction: 'request' | 'response',
  old: Resolve,
  now: Resolve,
): readonly string[] {
  return Object.entries(before).flatMap(([type, { schema }]) => {
    const found = after[type]
    if (found === undefined) return [`${type}: removed`]
    return schemaChanges(schema, found.schema, { direction, old, now })
  })
}

/** Follows a reference to a part of a document. */
function resolverOf(document: ApiDocument): Resolve {
  return <Part>(part: Part): Part => {
    const reference = (part as { readonly $ref?: string } | undefined)?.$ref
    if (reference === undefined) return part
    let found: unknown = document
    for (const name of reference.split('/').slice(1))
      found = (found as Readonly<Record<string, unknown>>)[name]
    return found as Part
  }
}
