import { addHealthRoutes, type Readiness } from '@slipway/shared/rpc'

import { OpenCalls } from './backend/open-calls.ts'
import type { GatewayContext } from './context.ts'
import type { App } from './http/app-type.ts'
import { clientAddressReader } from './http/requests/client-address.ts'
import { createApp } from './http/server/create-app.ts'
import { addAddressLimit } from './http/plugins/address-limit.ts'
import { addAuthentication } from './http/plugins/authentication.ts'
import { addCommonSchema } from './http/plugins/common-schema.ts'
import { readConsoleFiles } from './http/console/console-files.ts'
import { addConsolePages } from './http/plugins/console-pages.ts'
import { addCors } from './http/plugins/cors.ts'
import { addDocsPages } from './http/plugins/docs-pages.ts'
import { addErrorHandling } from './http/plugins/error-handling.ts'
import { addEtagAndCompression } from './http/plugins/etag-and-compression.ts'
import { addIdempotency } from './http/plugins/idempotency.ts'
import { addJsonBodyParsing } from './http/plugins/json-body.ts'
import { addMethodNotAllowed, recordMethods } from './http/plugins/method-not-allowed.ts'
import { addOpenApi } from './http/plugins/openapi.ts'
import { addPendingLimit, addSendingInPieces } from './http/plugins/pending-limit.ts'
import { addRequestContext } from './http/plugins/request-context.ts'
import { addRequestRules } from './http/plugins/request-rules.ts'
import { addSecurityHeaders } from './http/plugins/security-headers.ts'
import { addTelemetry } from './http/plugins/telemetry.ts'
import { addUserLimit } from './http/plugins/user-limit.ts'
import { addValidation } from './http/plugins/validation.ts'
import { TokenBuckets } from './http/limits/token-buckets.ts'
import { CachedResponder } from './public-answers/cached-responder.ts'
import { apiDescription } from './routes/api-description.ts'
import { addRoutes } from './routes/index.ts'

/**
 * Builds the REST API: first the plugins that every request passes through, in this order, then the
 * routes.
 */
export async function buildApp(
  context: GatewayContext,
  readiness: Readiness,
  silenceMs?: number,
): Promise<App> {
  const { config, logger, publicAnswers, tokenVerifier, changes, signIn } = context
  const addresses = new TokenBuckets(config.rateLimits.address)
  const users = new TokenBuckets(config.rateLimits.user)
  const addressOf = clientAddressReader(config.trustedProxies)
  const cached = new CachedResponder({ publicAnswers, addresses, logger, addressOf })
  const respondEarly = cached.respond.bind(cached)
  const app = createApp({ server: config, logger, respondEarly, silenceMs })
  app.decorate('openCalls', new OpenCalls())
  app.decorate('publicUrl', config.publicUrl)
  app.addHook('preClose', async () => cached.close())

  // Without a sign-in for browsers, no one could use it.
  const hasConsole = config.hasConsole && config.signIn !== undefined
  const consoleFiles = hasConsole ? readConsoleFiles(config.consoleFolder) : undefined
  addErrorHandling(app, logger, consoleFiles?.page)
  addRequestContext(app, logger)
  addTelemetry(app)
  addSecurityHeaders(app)
  addCors(app, config.corsOrigins)
  addAddressLimit(app, addresses)
  addRequestRules(app)
  addAuthentication(app, { tokenVerifier, sessions: signIn?.sessions, logger })
  addUserLimit(app, { users, changes, addresses })
  addPendingLimit(app, config.pending)
  addJsonBodyParsing(app)
  addValidation(app)
  addIdempotency(app, config.idempotencyKeySecret)
  addEtagAndCompression(app)
  addSendingInPieces(app)
  addCommonSchema(app)

  const methods = recordMethods(app)
  await app.register(async (scope) => addHealthRoutes(scope, readiness))
  await addOpenApi(app, apiDescription(config.issuers))
  await addDocsPages(app)
  addConsolePages(app, consoleFiles)
  addRoutes(app, context)
  addMethodNotAllowed(app, methods)
  await app.ready()
  return app
}
