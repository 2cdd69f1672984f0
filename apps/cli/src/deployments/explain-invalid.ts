import type { ApiError, FieldProblem } from '@slipway/client'

import { quoted } from '../command/quoted.ts'
import { CliError } from '../errors/cli-error.ts'
import { exitCodes } from '../errors/exit-code.ts'

const CREDENTIALS = 'user_credentials.'
const SCHEDULES = 'schedules.'

/** The keys of the credentials that a deploy lacks, of those that were not given. */
export function missingCredentials(
  problems: readonly FieldProblem[],
  given: Readonly<Record<string, string>>,
): readonly string[] {
  return problems
    .filter(({ field }) => field.startsWith(CREDENTIALS))
    .map(({ field }) => field.slice(CREDENTIALS.length))
    .filter((key) => !Object.hasOwn(given, key))
}

/** All problems of a deploy that the server refuses, each with its field and the remedy. */
export function explainInvalid(error: ApiError, given: Readonly<Record<string, string>>): CliError {
  const { detail, code, problems, requestId } = error
  const missing = new Set(missingCredentials(problems, given))
  const isMissing = ({ field, message }: FieldProblem) =>
    missing.has(field.slice(CREDENTIALS.length)) ||
    (field.startsWith(SCHEDULES) && message.includes('is required'))
  const remedies = problems.map((problem) => remedyOf(problem, isMissing(problem)))
  return new CliError(detail, {
    code,
    why: problems.map(({ field, message }) => `${field}: ${message}`).join('\n'),
    next: [...new Set(remedies)].join('\n'),
    requestId,
    // Options would have supplied all of it.
    exitCode: problems.every(isMissing) ? exitCodes.usage : exitCodes.failed,
    cause: error,
  })
}

function remedyOf({ field, message }: FieldProblem, isMissing: boolean): string {
  if (field.startsWith(CREDENTIALS))
    return isMissing
      ? 'give the credentials with --env-file FILE or --secrets-from -'
      : 'correct the credentials in your file or input'
  if (field.startsWith(SCHEDULES))
    return `--schedule ${quoted(field.slice(SCHEDULES.length))}='30 6 * * 1-5'`
  if (field.startsWith('overrides')) return 'correct --set or --overrides'
  if (field.startsWith('interfaces')) return 'correct --interface, or leave it out'
  if (/\bimage$/.test(field) && /has only|no such image|is required/.test(message))
    return 'slipway push, which builds and pushes the image'
  return 'correct the spec, check it with slipway validate, then slipway push'
}
