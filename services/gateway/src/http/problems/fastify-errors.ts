import type { FastifyError } from 'fastify'

import { byCodePoint, codeOfStatus, HttpProblem } from '../problem.ts'
import { validationMessages, type Failure } from './validation-messages.ts'

/** The maximum number of problems in a response. */
const MAX_PROBLEMS = 100
/** More failed checks are not looked at: a value can fail several, and a body has many values. */
const MAX_FAILURES = 500

/** Names, in messages, of the parts of a request that Fastify validates. */
const NAME_OF_PART: Readonly<Record<string, string>> = {
  body: 'request body',
  headers: 'request header',
  params: 'path',
  querystring: 'query',
}

/** Whether Fastify itself created the error. */
export function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
}

/** Converts an error of Fastify, such as a failed validation or a body beyond the limit. */
export function fromFastifyError(error: FastifyError, bodyLimitBytes: number): HttpProblem {
  if (error.validation) {
    const part = error.validationContext ?? 'request'
    const failures = (error.validation as readonly Failure[]).slice(0, MAX_FAILURES)
    const problems = new Set(validationMessages(failures, part))
    const more = problems.size > MAX_PROBLEMS ? `: it has more than ${MAX_PROBLEMS} problems` : ''
    const message = `the ${NAME_OF_PART[part] ?? part} is not valid${more}`
    return new HttpProblem(400, 'invalid_argument', message, {
      validationErrors: [...problems].slice(0, MAX_PROBLEMS).sort(byCodePoint),
    })
  }
  const status = error.statusCode ?? 500
  const known: Record<number, [string, string]> = {
    400: ['invalid_argument', 'the request is malformed'],
    413: ['too_large', `the request body must not exceed ${bodyLimitBytes} bytes`],
    415: [
      'unsupported_media_type',
      'the Content-Type of the request body must be application/json',
    ],
  }
  const [code, message] = known[status] ?? [
    codeOfStatus(status),
    status >= 500 ? 'internal error' : error.message,
  ]
  return new HttpProblem(status, code, message, { cause: error })
}
