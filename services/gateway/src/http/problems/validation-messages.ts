import type { ErrorObject } from 'ajv'

import { RFC_3339_MESSAGE } from '../requests/time.ts'

/** Longer than any path that can be valid. */
const MAX_PATH_LENGTH = 500

/** A failed check as Fastify passes it on. */
export type Failure = Pick<ErrorObject, 'keyword' | 'instancePath' | 'params' | 'message'>

/** Formats failed checks as `path: problem`. `part` is the path of the whole validated value. */
export function validationMessages(failures: readonly Failure[], part: string): string[] {
  return failures.flatMap((failure) => {
    const text = isCovered(failure, failures) ? undefined : textOf(failure)
    return text === undefined ? [] : [`${pathOf(failure, part)}: ${text}`]
  })
}

/**
 * Whether another message covers a wrong type: the list of allowed values, or for an `anyOf`, what
 * is wrong inside a value that has the type of one alternative.
 */
function isCovered({ keyword, instancePath }: Failure, failures: readonly Failure[]): boolean {
  if (keyword !== 'type') return false
  const keywords = failures.flatMap((each) =>
    each.instancePath === instancePath ? [each.keyword] : [],
  )
  return (
    keywords.includes('enum') ||
    (keywords.includes('anyOf') &&
      failures.some((each) => each.instancePath.startsWith(`${instancePath}/`)))
  )
}

function pathOf({ keyword, instancePath, params }: Failure, part: string): string {
  const missing = keyword === 'required' ? [String(params['missingProperty'])] : []
  const path = [...instancePath.split('/').slice(1), ...missing].join('.')
  if (path === '') return part
  return path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH).toWellFormed()}…` : path
}

function textOf(failure: Failure): string | undefined {
  const { keyword, params, message } = failure
  const limit = Number(params['limit'])
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'anyOf':
      return undefined
    case 'enum':
      return `must be one of ${(params['allowedValues'] as readonly string[]).join(', ')}`
    case 'const':
      return `must be ${String(params['allowedValue'])}`
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`
    case 'maxLength':
      return `must have at most ${limit} characters`
    case 'maxItems':
    case 'maxProperties':
      return `must have at most ${limit} entries`
    case 'format':
      return params['format'] === 'date-time' ? RFC_3339_MESSAGE : message
    default:
      return message ?? 'is not valid'
  }
}
