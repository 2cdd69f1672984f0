import { METHODS } from 'node:http'

import type { FastifyInstance } from 'fastify'

import { HttpProblem } from '../problem.ts'
import { sendProblem } from '../problems/send-problem.ts'

/** Every method that a request can have; Node never emits CONNECT as a request. */
const KNOWN_METHODS = METHODS.filter((method) => method !== 'CONNECT')

/** The methods of each path of the API. */
export type MethodsByPath = ReadonlyMap<string, ReadonlySet<string>>

/** Collects the methods of the API's routes that are added after this call. */
export function recordMethods(app: FastifyInstance): MethodsByPath {
  const methodsOf = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    if (!/^\/(api|auth|\.well-known)\//.test(url)) return
    const methods = methodsOf.get(url) ?? new Set()
    for (const name of [method].flat()) methods.add(name)
    methodsOf.set(url, methods)
  })
  return methodsOf
}

/**
 * Returns 405 with `Allow` for the methods that a path of the API doesn't support. Call it after
 * all routes are added.
 */
export function addMethodNotAllowed(app: FastifyInstance, recorded: MethodsByPath): void {
  for (const method of KNOWN_METHODS)
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  // Iterates over a copy, because the routes added here are recorded as well.
  const allowed = [...recorded].map(([url, methods]) => ({ url, methods: new Set(methods) }))
  for (const { url, methods } of allowed) {
    const allow = [...methods].sort().join(', ')
    app.route({
      url,
      method: KNOWN_METHODS.filter((method) => !methods.has(method)),
      config: { access: 'public' },
      schema: { hide: true },
      // Responds before the body is read, because it isn't needed.
      onRequest: (request, reply) => {
        reply.header('allow', allow)
        const message = `this path does not support ${request.method}; it supports ${allow}`
        sendProblem(request, reply, new HttpProblem(405, 'method_not_allowed', message))
      },
      handler: () => undefined,
    })
  }
}
