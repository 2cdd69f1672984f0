import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { addHealthRoutes, type Readiness } from '@slipway/shared/rpc'
import { isTracing } from '@slipway/shared/telemetry'
import { fastify, LogController, type FastifyBaseLogger } from 'fastify'

import type { GatewayContext } from './context.ts'
import { addressReader, createHttpServer } from './http/server.ts'
import { OpenCalls } from './backend/open-calls.ts'
import { addAuthentication } from './http/plugins/authentication.ts'
import { addBodyParsing } from './http/plugins/json-body.ts'
import type { App } from './http/app-type.ts'
import { answerClientError } from './http/client-errors.ts'
import { addConventionsToSchemas } from './http/plugins/common-schema.ts'
import { addCors } from './http/plugins/cors.ts'
import { addErrorHandling } from './http/plugins/error-handling.ts'
import { addIdempotency } from './http/plugins/idempotency.ts'
import { trackMethods } from './http/plugins/method-not-allowed.ts'
import { addOpenApi } from './http/plugins/openapi.ts'
import { addressBuckets, rateLimits } from './http/plugins/address-limit.ts'
import { addRepresentation } from './http/plugins/etag-and-compression.ts'
import { addRequestContext, requestIdOf } from './http/plugins/request-context.ts'
import { addSecurityHeaders } from './http/plugins/security-headers.ts'
import { addTelemetry } from './http/plugins/telemetry.ts'
import { rerouteMalformedUrl } from './http/malformed-urls.ts'
import { addValidation } from './http/plugins/validation.ts'
import { FrontDesk } from './public-answers/front-desk.ts'
import { addRoutes } from './routes/index.ts'

/** Builds the REST API: conventions first, then the routes. Doesn't listen yet. */
export async function buildApp(
  context: GatewayContext,
  readiness: Readiness,
  silenceMs?: number,
): Promise<App> {
  const { config, logger, publicAnswers } = context
  const addresses = addressBuckets(config)
  const frontDesk = new FrontDesk({
    publicAnswers,
    addresses,
    logger,
    addressOf: addressReader(config),
  })
  const app: App = fastify({
    loggerInstance: logger as FastifyBaseLogger,
    // One logger for all: our lines name their request themselves.
    childLoggerFactory: (parent) => parent,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.limits.bodyBytes,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    genReqId: requestIdOf,
    serverFactory: (handle) =>
      createHttpServer(
        config,
        (request, response) => {
          // A span is the framework's to open.
          if (isTracing() || !frontDesk.answer(request, response)) handle(request, response)
        },
        silenceMs,
      ),
    forceCloseConnections: 'idle',
    // The framework's own answer to what comes on a busy connection by then follows none of our
    // conventions.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (_error, request, reply) => rerouteMalformedUrl(app, request.raw, reply.raw),
    // As much as a request's head can hold: what is too long is for the route to say.
    routerOptions: { maxParamLength: 16_384 },
  }).withTypeProvider<TypeBoxTypeProvider>()
  app.decorate('openCalls', new OpenCalls())
  app.addHook('preClose', (done) => {
    frontDesk.close()
    done()
  })

  addErrorHandling(app, context)
  addRequestContext(app, context)
  addTelemetry(app)
  addSecurityHeaders(app)
  addCors(app, context)
  const { addAddressLimit, addUserLimit } = rateLimits(app, context, addresses)
  addAddressLimit()
  addAuthentication(app, context)
  addUserLimit()
  addBodyParsing(app)
  addValidation(app)
  addIdempotency(app, context)
  addRepresentation(app)
  addConventionsToSchemas(app)
  const addMethodNotAllowed = trackMethods(app)
  await app.register(async (scope) => addHealthRoutes(scope, readiness))
  await addOpenApi(app)
  addRoutes(app, context)
  addMethodNotAllowed()
  await app.ready()
  return app
}
