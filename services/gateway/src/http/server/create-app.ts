import type { IncomingMessage, ServerResponse } from 'node:http'

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { Logger } from '@slipway/shared/logger'
import { fastify, LogController, type FastifyBaseLogger } from 'fastify'

import type { App } from '../app-type.ts'
import { answerClientError } from './client-errors.ts'
import { rerouteMalformedUrl } from '../requests/malformed-urls.ts'
import { requestIdOf } from '../plugins/request-context.ts'
import { createHttpServer, type ServerOptions } from './http-server.ts'

/** Settings of the Fastify application. */
export interface CreateAppOptions {
  readonly server: ServerOptions
  readonly logger: Logger
  /** Responds to a request before Fastify sees it; returns false to leave it to Fastify. */
  readonly respondEarly: (request: IncomingMessage, response: ServerResponse) => boolean
  /** How long a connection may be silent. */
  readonly silenceMs?: number | undefined
}

/** Creates the Fastify application with its server, without plugins or routes. */
export function createApp({ server, logger, respondEarly, silenceMs }: CreateAppOptions): App {
  const app: App = fastify({
    loggerInstance: logger as FastifyBaseLogger,
    // Log lines carry the request id themselves, so requests need no child loggers.
    childLoggerFactory: (parent) => parent,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: server.limits.bodyBytes,
    trustProxy: server.trustedProxies.length > 0 ? [...server.trustedProxies] : false,
    genReqId: requestIdOf,
    serverFactory: (handle) =>
      createHttpServer(
        server,
        (request, response) => {
          if (!respondEarly(request, response)) handle(request, response)
        },
        silenceMs,
      ),
    forceCloseConnections: 'idle',
    // Fastify's own 503 for requests that arrive while it closes has none of our headers.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (_error, request, reply) => rerouteMalformedUrl(app, request.raw, reply.raw),
    // As long as a request's headers can be, because the routes reject parameters that are too
    // long.
    routerOptions: { maxParamLength: 16_384 },
  }).withTypeProvider<TypeBoxTypeProvider>()
  return app
}
