import { Type, type TSchema } from 'typebox'

import { codeOfStatus, titleOf, type Problem } from '../problem.ts'

export const ProblemBody = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'URN of the kind of problem' }),
    title: Type.String({ description: 'Reason phrase of the status' }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'Status of the response' }),
    detail: Type.String({ description: 'What is wrong, and what to do, for people' }),
    instance: Type.String({ description: 'Path of the request' }),
    code: Type.String({
      pattern: '^[a-z][a-z0-9_]*$',
      description: 'What is wrong, for programs. Codes are added, but never change their meaning',
    }),
    error: Type.String({ description: 'Short message; `unauthorized` on 401' }),
    details: Type.Optional(Type.String({ description: 'The `validation_errors` as one text' })),
    request_id: Type.String({ description: 'Id of the request, for the logs' }),
    validation_errors: Type.Optional(
      Type.Array(Type.String(), {
        description: 'The invalid fields as `path: problem`, sorted',
      }),
    ),
  },
  { title: 'Problem', description: 'The body of every error: problem details (RFC 9457)' },
)

interface ProblemExample {
  readonly code?: string
  readonly detail: string
  readonly validation_errors?: readonly string[]
}

interface DocumentedProblem {
  readonly description: string
  readonly example: ProblemExample
}

const PROBLEMS: Readonly<Record<number, DocumentedProblem>> = {
  400: {
    description: 'Invalid request body or parameters',
    example: {
      code: 'invalid_argument',
      detail: 'the request body is not valid',
      validation_errors: ['account: is required'],
    },
  },
  401: {
    description: 'Authentication required',
    example: { code: 'token_required', detail: 'an access token is required' },
  },
  403: {
    description: 'Insufficient permissions for the account',
    example: { code: 'permission_denied', detail: 'you are not a member of this account' },
  },
  404: {
    description: 'Resource not found',
    example: { code: 'agent_not_found', detail: 'agent not found' },
  },
  409: {
    description: 'Another operation, or the same one, is running, or something is still deployed',
    example: { code: 'deployment_busy', detail: 'another operation on this agent is running' },
  },
  413: {
    description: 'Request body too large',
    example: { code: 'too_large', detail: 'the request body must not exceed 1048576 bytes' },
  },
  415: {
    description: 'Request body is not application/json',
    example: {
      code: 'unsupported_media_type',
      detail: 'the Content-Type of the request body must be application/json',
    },
  },
  422: {
    description: 'Idempotency-Key was used for a different request',
    example: {
      code: 'idempotency_key_reused',
      detail: 'the idempotency key was used for another request',
    },
  },
  429: {
    description: 'Too many requests, or too many unread responses',
    example: { code: 'rate_limited', detail: 'too many requests' },
  },
  500: { description: 'Server error', example: { detail: 'internal error' } },
  503: {
    description: 'A backend is unavailable, or too many requests are in progress',
    example: { code: 'service_unavailable', detail: 'a service is unavailable; retry later' },
  },
}

/** Response schemas of the problems that a route can return. */
export function problems(...statuses: readonly number[]): Record<number, TSchema> {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      Type.Unsafe({
        description: PROBLEMS[status]?.description ?? titleOf(status),
        content: {
          'application/problem+json': {
            schema: ProblemBody,
            example: exampleProblem(status, PROBLEMS[status]?.example),
          },
        },
      }),
    ]),
  )
}

/** A problem as the body of an error, for the API document. */
export function exampleProblem(
  status: number,
  { code = codeOfStatus(status), detail, validation_errors: errors }: ProblemExample = {
    detail: titleOf(status),
  },
): Problem {
  return {
    type: `urn:slipway:problem:${code}`,
    title: titleOf(status),
    status,
    detail,
    instance: '/api/v1/deploy',
    code,
    error: status === 401 ? 'unauthorized' : detail,
    request_id: '0b0a5b4e-4b52-4c4f-8a37-0d8a2c6a1a55',
    ...(errors === undefined ? {} : { details: errors.join('; '), validation_errors: errors }),
  }
}
