import { Type, type TSchema } from 'typebox'

/** A non-empty text. */
export const Text = (description: string) => Type.String({ minLength: 1, description })

/** A text that may be empty. */
export const AnyText = (description: string) => Type.String({ description })

/** A point in time as RFC 3339 in UTC with milliseconds. */
export const Time = (description: string) => Type.String({ format: 'date-time', description })

/** An object of texts; the keys are free. */
export const TextMap = (description: string) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description,
  })

/** An object whose members are free. */
export const FreeObject = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description })

export const ProblemBody = Type.Object(
  {
    type: Type.String({ description: 'Identifies the kind of problem' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    instance: Type.String({ description: 'Path of the request' }),
    code: Type.String({ description: 'Stable machine word' }),
    error: Type.String({ description: 'Short text for people' }),
    details: Type.Optional(Type.String()),
    request_id: Type.String(),
    validation_errors: Type.Optional(
      Type.Array(Type.String(), { description: '`path: problem`, sorted' }),
    ),
  },
  { title: 'Problem', description: 'RFC 9457 problem details' },
)

const PROBLEM_TEXTS: Readonly<Record<number, string>> = {
  400: 'Invalid request body or parameters',
  401: 'Authentication required',
  403: 'Insufficient permissions for the account',
  404: 'Resource not found',
  409: 'Another operation, or the same one, is under way',
  413: 'Body too large',
  415: 'Body is not JSON',
  422: 'Idempotency-Key was used for another request',
  429: 'Too many requests',
  500: 'Server error',
  503: 'A backend is not available',
}

/** Response schemas for the problems that a route can answer with. */
export function problems(...statuses: readonly number[]): Record<number, TSchema> {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      Type.Unsafe({
        description: PROBLEM_TEXTS[status] ?? 'Error',
        content: { 'application/problem+json': { schema: ProblemBody } },
      }),
    ]),
  )
}

/** Marks a route in the API document as needing a token. */
export const needsToken = [{ bearer: [] }]

/** Path parameters of everything below an agent. */
export const AgentPath = Type.Object({
  account: Text('Account slug'),
  name: Text('Agent name'),
})
