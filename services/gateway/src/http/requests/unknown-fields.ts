import { hintFor } from '@slipway/agent-spec'
import { Type } from 'typebox'

import { byCodePoint, HttpProblem } from '../problem.ts'

/** Further names are only counted. */
const MAX_REPORTED = 20
/** Longer names are truncated. */
const MAX_LENGTH = 60

/** `?strict=true` of operations that report unknown fields and query parameters. */
export const StrictQuery = Type.Object({
  strict: Type.Boolean({
    default: false,
    description:
      'Reject unknown fields of the body, unknown query parameters, and credentials that no ' +
      'component declares, instead of warning about them',
  }),
})

/** A request whose schemas name its fields and query parameters. */
export interface StrictRequest {
  readonly body: object
  readonly query: { readonly strict: boolean }
  readonly routeOptions: { readonly schema?: { body?: unknown; querystring?: unknown } }
}

/**
 * Returns the fields and query parameters of a request that its schemas don't have, as
 * `path: problem`. Throws if there are any and the request is strict.
 */
export function unknownFields({ body, query, routeOptions: { schema } }: StrictRequest): string[] {
  const problems = [
    ...unknownNames(body, schema?.body, { kind: 'field', of: 'request body' }),
    ...unknownNames(query, schema?.querystring, { kind: 'query parameter', of: 'query' }),
  ].sort(byCodePoint)
  if (query.strict && problems.length > 0)
    throw new HttpProblem(400, 'invalid_argument', 'the request has unknown fields or parameters', {
      validationErrors: problems,
    })
  return problems
}

function unknownNames(
  given: object,
  schema: unknown,
  { kind, of }: { readonly kind: string; readonly of: string },
): string[] {
  const { properties: known = {} } = schema as { readonly properties?: object }
  const names = Object.keys(given).filter((name) => !Object.hasOwn(known, name))
  const problems = names
    .slice(0, MAX_REPORTED)
    .map((name) => `${truncated(name)}: unknown ${kind}${hintFor(name, Object.keys(known))}`)
  const more = names.length - problems.length
  return more > 0 ? [...problems, `${of}: ${more} more unknown ${kind}s`] : problems
}

function truncated(name: string): string {
  return name.length > MAX_LENGTH ? `${name.slice(0, MAX_LENGTH)}…` : name
}
