import helmet from '@fastify/helmet'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { addHealthRoutes, type Readiness } from '@slipway/shared/rpc'
import { fastify, LogController, type FastifyBaseLogger, type FastifyInstance, type RawServerDefault } from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'

import type { GatewayContext } from './context.ts'
import { addAuthentication } from './plugins/authentication.ts'
import { addBodyParsing } from './plugins/body.ts'
import { addErrorHandling } from './plugins/errors.ts'
import { trackMethods } from './plugins/method-not-allowed.ts'
import { addOpenApi } from './plugins/openapi.ts'
import { addRequestContext, requestIdOf } from './plugins/request-context.ts'
import { addValidation } from './plugins/validation.ts'
import { addRoutes } from './routes/index.ts'

/** The application as routes see it: schemas are TypeBox, and give the handlers their types. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** Builds the REST API: conventions first, then the routes. Doesn't listen yet. */
export async function buildApp(context: GatewayContext, readiness: Readiness): Promise<App> {
  const app = fastify({
    loggerInstance: context.logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: context.config.bodyLimitBytes,
    trustProxy: context.config.trustedProxies.length > 0 ? [...context.config.trustedProxies] : false,
    genReqId: requestIdOf,
    requestTimeout: 30_000,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 256 },
  }).withTypeProvider<TypeBoxTypeProvider>()

  addErrorHandling(app, context)
  addRequestContext(app, context)
  await app.register(helmet, { contentSecurityPolicy: false })
  addAuthentication(app, context)
  addBodyParsing(app)
  addValidation(app)
  const addMethodNotAllowed = trackMethods(app)
  await app.register(async (scope) => addHealthRoutes(scope, readiness))
  await addOpenApi(app)
  addRoutes(app, context)
  addMethodNotAllowed()
  await app.ready()
  return app
}
