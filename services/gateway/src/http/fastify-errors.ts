import type { FastifyError } from 'fastify'

import { byCodePoint, codeOfStatus, HttpProblem } from './problem.ts'
import { validationMessages, type Failure } from './validation-messages.ts'

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
    const problems = validationMessages(error.validation as readonly Failure[], part)
    const message = `the ${NAME_OF_PART[part] ?? part} is not valid`
    return new HttpProblem(400, 'invalid_argument', message, {
      validationErrors: [...new Set(problems)].sort(byCodePoint),
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
