import { METHODS } from 'node:http'

import type { FastifyInstance } from 'fastify'

import { HttpProblem } from '../problem.ts'
import { sendProblem } from './error-handling.ts'

/** Every method that a request can have; CONNECT never becomes one. */
const KNOWN_METHODS = METHODS.filter((method) => method !== 'CONNECT')

/**
 * Answers 405 with `Allow` for the methods that a path of the API doesn't have. Returns the
 * function that adds these routes; call it when all others stand.
 */
export function trackMethods(app: FastifyInstance): () => void {
  const methodsOf = new Map<string, Set<string>>()
  let isComplete = false
  app.addHook('onRoute', ({ url, method }) => {
    if (isComplete || !url.startsWith('/api/')) return
    const methods = methodsOf.get(url) ?? new Set()
    for (const name of [method].flat()) methods.add(name)
    methodsOf.set(url, methods)
  })
  return () => {
    isComplete = true
    for (const method of KNOWN_METHODS)
      if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
    for (const [url, methods] of methodsOf) {
      const allow = [...methods].sort().join(', ')
      app.route({
        url,
        method: KNOWN_METHODS.filter((method) => !methods.has(method)),
        config: { access: 'public' },
        schema: { hide: true },
        // Before the body is read: whatever it is, it isn't wanted.
        onRequest: (request, reply) => {
          reply.header('allow', allow)
          sendProblem(
            request,
            reply,
            new HttpProblem(405, 'method_not_allowed', `this path takes ${allow}`),
          )
        },
        handler: () => undefined,
      })
    }
  }
}
