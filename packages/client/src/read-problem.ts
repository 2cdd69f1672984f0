import { ApiError, type FieldProblem, type Problem } from './errors.ts'

const MAX_SHOWN = 200

/** Makes the error of a response with a status other than 2xx. `request` is as `GET /path`. */
export function toApiError(request: string, response: Response, body: string): ApiError {
  const problem = parseProblem(body)
  const { status, statusText, headers } = response
  return new ApiError({
    request,
    status,
    code: problem?.code ?? `http_${status}`,
    detail: problem?.detail ?? foreignDetail(statusText, headers.get('content-type'), body),
    problems: (problem?.validation_errors ?? []).map(toFieldProblem),
    requestId: problem?.request_id ?? headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: parseRetryAfter(headers.get('retry-after')),
    problem,
  })
}

/** Parses `Retry-After`: seconds or a date, compared with `now` in milliseconds. */
export function parseRetryAfter(text: string | null, now = Date.now()): number | undefined {
  if (text === null) return undefined
  if (/^\d{1,9}$/.test(text.trim())) return Number(text)
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : Math.max(0, Math.ceil((time - now) / 1000))
}

function parseProblem(body: string): Problem | undefined {
  try {
    const parsed: unknown = JSON.parse(body)
    return isProblem(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false
  const { code, detail } = value as Record<string, unknown>
  return typeof code === 'string' && typeof detail === 'string'
}

/** Splits `path: problem`. A path has no spaces. */
function toFieldProblem(text: string): FieldProblem {
  const [, field = '', message = text] = /^(\S+): (.*)$/s.exec(text) ?? []
  return { field, message }
}

/** What a proxy or another server says. */
function foreignDetail(statusText: string, type: string | null, body: string): string {
  const isText = type?.startsWith('text/plain') === true && body.trim() !== ''
  if (isText) return body.trim().slice(0, MAX_SHOWN)
  return statusText === '' ? 'the response is not from Slipway' : statusText
}
