import type { ErrorObject } from 'ajv'

import { RFC_3339_MESSAGE } from './time.ts'

/** A failed check as Fastify passes it on. `schema` is the keyword's value; ajv runs verbose. */
export type Failure = Pick<
  ErrorObject,
  'keyword' | 'instancePath' | 'params' | 'message' | 'schema'
>

/** Formats failed checks as `path: problem`. `part` is the path of the whole validated value. */
export function validationMessages(failures: readonly Failure[], part: string): string[] {
  const choices = failures.filter(({ keyword }) => keyword === 'anyOf')
  return failures.flatMap((failure) => {
    const text = isPartOfChoice(failure, choices, failures) ? undefined : textOf(failure)
    return text === undefined ? [] : [`${pathOf(failure, part)}: ${text}`]
  })
}

/**
 * Whether another message covers this failure. A value that matches no alternative of an `anyOf`
 * fails for each of them; a single message lists the allowed values.
 */
function isPartOfChoice(
  failure: Failure,
  choices: readonly Failure[],
  failures: readonly Failure[],
): boolean {
  const { keyword, instancePath } = failure
  const choice = choices.find((each) => each.instancePath === instancePath)
  if (choice === undefined || keyword === 'anyOf') return false
  if (constantsOf(choice) !== undefined) return true
  // If the value has the type of one alternative, report only what is wrong inside it.
  return (
    keyword === 'type' && failures.some((each) => each.instancePath.startsWith(`${instancePath}/`))
  )
}

function pathOf({ keyword, instancePath, params }: Failure, part: string): string {
  const missing = keyword === 'required' ? [String(params['missingProperty'])] : []
  const path = [...instancePath.split('/').slice(1), ...missing].join('.')
  return path === '' ? part : path
}

function textOf(failure: Failure): string | undefined {
  const { keyword, params, message } = failure
  const limit = Number(params['limit'])
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'anyOf': {
      const constants = constantsOf(failure)
      return constants && `must be one of ${constants.join(', ')}`
    }
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

/** The values of a choice between constants. */
function constantsOf({ schema }: Failure): string[] | undefined {
  if (!Array.isArray(schema)) return undefined
  const values = schema.map((each: unknown) =>
    typeof each === 'object' && each !== null && 'const' in each ? each.const : undefined,
  )
  return values.includes(undefined) ? undefined : values.map(String)
}
