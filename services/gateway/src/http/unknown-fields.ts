import { hintFor } from '@slipway/agent-spec'
import { Type } from 'typebox'

import { byCodePoint, HttpProblem } from './problem.ts'

/** Further fields are only counted. */
const MAX_REPORTED = 20
/** Longer names are truncated. */
const MAX_LENGTH = 60

/** `?strict=true` of operations that report unknown fields of their body. */
export const StrictQuery = Type.Object({
  strict: Type.Boolean({
    default: false,
    description:
      'Reject unknown fields of the body, and credentials that no component declares, instead of ' +
      'warning about them',
  }),
})

/**
 * Returns the fields of a request body that its schema doesn't have, as `path: problem`. Throws if
 * there are any and the request is strict.
 */
export function unknownFields(
  body: object,
  { properties: known }: { readonly properties: object },
  { strict }: { readonly strict: boolean },
): string[] {
  const names = Object.keys(body).filter((name) => !Object.hasOwn(known, name))
  const problems = names
    .slice(0, MAX_REPORTED)
    .map((name) => `${truncated(name)}: unknown field${hintFor(name, Object.keys(known))}`)
  const more = names.length - problems.length
  if (more > 0) problems.push(`request body: ${more} more unknown fields`)
  problems.sort(byCodePoint)
  if (strict && problems.length > 0)
    throw new HttpProblem(400, 'invalid_argument', 'the request body has unknown fields', {
      validationErrors: problems,
    })
  return problems
}

function truncated(name: string): string {
  return name.length > MAX_LENGTH ? `${name.slice(0, MAX_LENGTH)}…` : name
}
