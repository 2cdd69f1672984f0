import type { ErrorObject } from 'ajv'

/**
 * A failed check as Fastify hands it on; `schema` is what the keyword says, since the validator is
 * verbose.
 */
export type Failure = Pick<
  ErrorObject,
  'keyword' | 'instancePath' | 'params' | 'message' | 'schema'
>

/**
 * What is wrong, as `path: problem` for people who don't read JSON Schema; `part` names the whole.
 */
export function validationTexts(failures: readonly Failure[], part: string): string[] {
  const choices = failures.filter(({ keyword }) => keyword === 'anyOf')
  return failures.flatMap((failure) => {
    const text = isOfChoice(failure, choices, failures) ? undefined : textOf(failure)
    return text === undefined ? [] : [`${pathOf(failure, part)}: ${text}`]
  })
}

/** A value that is none of several things fails for each of them; one text says what it may be. */
function isOfChoice(
  failure: Failure,
  choices: readonly Failure[],
  failures: readonly Failure[],
): boolean {
  const { keyword, instancePath } = failure
  const choice = choices.find((each) => each.instancePath === instancePath)
  if (choice === undefined || keyword === 'anyOf') return false
  if (constantsOf(choice) !== undefined) return true
  // Of alternatives of another kind the one that comes nearest is named: what is wrong inside, if
  // anything is.
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
