import { isUtf8 } from 'node:buffer'

import { countJsonValues } from '@slipway/shared/json-values'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { nestsDeeperThan } from '../requests/json-nesting.ts'
import { HttpProblem, type HttpProblemOptions } from '../problem.ts'

/** Far more than any request body needs, and far less than would overflow the parser's stack. */
const MAX_NESTING = 64
/**
 * Far more values than any request body needs. Validation reports each wrong one, and a report
 * takes a hundred times the memory of the value.
 */
const MAX_VALUES = 20_000

/**
 * Reads JSON bodies strictly: valid UTF-8, bounded nesting and number of values, no `__proto__`, no
 * NUL characters, which Postgres can't store. An empty body counts as no body; the schema of a
 * route that needs one requires it. NUL characters in path and query parameters are rejected as
 * well.
 */
export function addJsonBodyParsing(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    (request, body, done) => {
      if (request.headers['idempotency-key'] !== undefined) request.rawBody = body
      if (body.length === 0) return done(null, undefined)
      if (nestsDeeperThan(MAX_NESTING, body))
        return done(invalid(`the request body is nested deeper than ${MAX_NESTING} levels`))
      if (countJsonValues(body, MAX_VALUES) > MAX_VALUES) return done(tooManyValues())
      if (!isUtf8(body)) return done(invalid('the request body is not valid UTF-8'))
      const text = body.toString('utf8')
      return parse(request, text, (error, value) => {
        if (error) return done(invalid(problemOf(text), { cause: error }))
        if (text.includes('\\u0000') && containsNul(value)) return done(nulProblem())
        return done(null, value)
      })
    },
  )
  app.addHook('preValidation', (request, _reply, done) => {
    // Parameters are already decoded; without this escape they can't contain NUL.
    if (!request.url.includes('%00')) return done()
    const parameters = { ...(request.params as object), ...knownQuery(request) }
    const bad = Object.entries(parameters).flatMap(([name, value]) =>
      containsNul(value) ? [name] : [],
    )
    return done(bad.length > 0 ? nulProblem(bad) : undefined)
  })
}

/** What is wrong with a body that the parser refused, as it also does to protect prototypes. */
function problemOf(text: string): string {
  try {
    JSON.parse(text)
  } catch {
    return 'the request body is not valid JSON'
  }
  return 'the request body has a member __proto__ or constructor.prototype, which is not allowed'
}

/** The query parameters that the route declares; others are ignored. */
function knownQuery(request: FastifyRequest): object {
  const schema = request.routeOptions.schema?.querystring as { properties?: object } | undefined
  const query = request.query as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.keys(schema?.properties ?? {}).map((name) => [name, query[name]]),
  )
}

function tooManyValues(): HttpProblem {
  return new HttpProblem(413, 'too_large', `the request body has more than ${MAX_VALUES} values`)
}

function invalid(message: string, options?: HttpProblemOptions): HttpProblem {
  return new HttpProblem(400, 'invalid_argument', message, options)
}

function nulProblem(fields?: readonly string[]): HttpProblem {
  const text = 'must not contain NUL characters'
  const validationErrors = fields?.map((field) => `${field}: ${text}`)
  return invalid(`text ${text}`, validationErrors && { validationErrors })
}

function containsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, entry]) => key.includes('\0') || containsNul(entry))
}
