import { Type, type TSchema } from 'typebox'

/** A non-empty string. */
export const Text = (description: string) => Type.String({ minLength: 1, description })

/** A string that may be empty. */
export const AnyText = (description: string) => Type.String({ description })

/** An RFC 3339 date-time. Responses use UTC with milliseconds. */
export const Time = (description: string) => Type.String({ format: 'date-time', description })

/** An object with free keys and string values. */
export const TextMap = (description: string, options: { maxProperties?: number } = {}) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description,
    ...options,
  })

/** An object with free members. */
export const FreeObject = (description: string, options: { maxProperties?: number } = {}) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description,
    ...options,
  })

export const ProblemBody = Type.Object(
  {
    type: Type.String({ description: 'URN of the kind of problem' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    instance: Type.String({ description: 'Path of the request' }),
    code: Type.String({ description: 'Stable machine-readable code' }),
    error: Type.String({ description: 'Short message; `unauthorized` on 401' }),
    details: Type.Optional(Type.String()),
    request_id: Type.String(),
    validation_errors: Type.Optional(
      Type.Array(Type.String(), { description: '`path: problem`, sorted' }),
    ),
  },
  { title: 'Problem', description: 'RFC 9457 problem details' },
)

const PROBLEM_DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'Invalid request body or parameters',
  401: 'Authentication required',
  403: 'Insufficient permissions for the account',
  404: 'Resource not found',
  409: 'Another operation, or the same one, is running, or something is still deployed',
  413: 'Request body too large',
  415: 'Request body is not application/json',
  422: 'Idempotency-Key was used for a different request',
  429: 'Too many requests, or too many unread responses',
  500: 'Server error',
  503: 'A backend is unavailable, or too many requests are in progress',
}

/** Response schemas of the problems that a route can return. */
export function problems(...statuses: readonly number[]): Record<number, TSchema> {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      Type.Unsafe({
        description: PROBLEM_DESCRIPTIONS[status] ?? 'Error',
        content: { 'application/problem+json': { schema: ProblemBody } },
      }),
    ]),
  )
}

/** OpenAPI security of a route that needs a token. */
export const NEEDS_TOKEN = [{ bearer: [] }]
