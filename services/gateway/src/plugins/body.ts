import { isUtf8 } from 'node:buffer'

import { HttpProblem } from '../problem.ts'
import type { FastifyInstance } from 'fastify'

/**
 * Reads JSON bodies strictly: valid UTF-8, no `__proto__`, no NUL characters (which no text of ours may hold). An empty
 * body counts as none; a route that needs one says so by its schema.
 */
export function addBodyParsing(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    if (!isUtf8(body))
      return done(new HttpProblem(400, 'invalid_argument', 'the body of the request is not valid UTF-8'))
    const text = body.toString('utf8')
    return parse(request, text, (error, value) => {
      if (error)
        return done(
          new HttpProblem(400, 'invalid_argument', 'the body of the request is not valid JSON', { cause: error }),
        )
      if (text.includes('\\u0000') && holdsNul(value)) return done(nulProblem())
      return done(null, value)
    })
  })
  app.addHook('preValidation', async (request) => {
    if (holdsNul(request.params) || holdsNul(request.query)) throw nulProblem()
  })
}

function nulProblem(): HttpProblem {
  return new HttpProblem(400, 'invalid_argument', 'text must not hold NUL characters')
}

function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, entry]) => key.includes('\0') || holdsNul(entry))
}
