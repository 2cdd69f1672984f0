import { isUtf8 } from 'node:buffer'

import { HttpProblem } from '../problem.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Far more than any body of ours needs, far less than recursion can bear. */
const MAX_NESTING = 64
const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/**
 * Reads JSON bodies strictly: valid UTF-8, bounded nesting, no `__proto__`, no NUL characters
 * (which no text of ours may hold). An empty body counts as none; a route that needs one says so by
 * its schema.
 */
export function addBodyParsing(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    (request, body, done) => {
      if (request.headers['idempotency-key'] !== undefined) request.rawBody = body
      if (body.length === 0) return done(null, undefined)
      if (nestsDeeperThan(MAX_NESTING, body))
        return done(
          new HttpProblem(400, 'invalid_argument', 'the body of the request is nested too deeply'),
        )
      if (!isUtf8(body))
        return done(
          new HttpProblem(400, 'invalid_argument', 'the body of the request is not valid UTF-8'),
        )
      const text = body.toString('utf8')
      return parse(request, text, (error, value) => {
        if (error)
          return done(
            new HttpProblem(400, 'invalid_argument', 'the body of the request is not valid JSON', {
              cause: error,
            }),
          )
        if (text.includes('\\u0000') && holdsNul(value)) return done(nulProblem())
        return done(null, value)
      })
    },
  )
  app.addHook('preValidation', (request, _reply, done) => {
    // Parameters are decoded: without an escape there is nothing to find.
    if (!request.url.includes('%00')) return done()
    const parameters = { ...(request.params as object), ...knownQuery(request) }
    const bad = Object.entries(parameters).flatMap(([name, value]) =>
      holdsNul(value) ? [name] : [],
    )
    return done(bad.length > 0 ? nulProblem(bad) : undefined)
  })
}

/** Looks at the brackets outside of strings; whether the rest is JSON is the parser's to say. */
function nestsDeeperThan(limit: number, body: Buffer): boolean {
  let depth = 0
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0
    if (byte === QUOTE) at = endOfString(body, at + 1)
    else if (OPENING.has(byte)) {
      depth += 1
      if (depth > limit) return true
    } else if (CLOSING.has(byte)) depth -= 1
  }
  return false
}

function endOfString(body: Buffer, start: number): number {
  for (let at = body.indexOf(QUOTE, start); at !== -1; at = body.indexOf(QUOTE, at + 1)) {
    let backslashes = 0
    while (body[at - 1 - backslashes] === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0) return at
  }
  return body.length
}

/** The query parameters that the route has; others are ignored, whatever they hold. */
function knownQuery(request: FastifyRequest): object {
  const schema = request.routeOptions.schema?.querystring as { properties?: object } | undefined
  const query = request.query as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.keys(schema?.properties ?? {}).map((name) => [name, query[name]]),
  )
}

function nulProblem(fields?: readonly string[]): HttpProblem {
  const text = 'must not hold NUL characters'
  const validationErrors = fields?.map((field) => `${field}: ${text}`)
  return new HttpProblem(
    400,
    'invalid_argument',
    `text ${text}`,
    validationErrors && { validationErrors },
  )
}

function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, entry]) => key.includes('\0') || holdsNul(entry))
}
