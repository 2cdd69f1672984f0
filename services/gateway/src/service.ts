import { createTokenVerifier } from '@slipway/shared/auth'
import { connectNats } from '@slipway/shared/events'
import { createLogger, type Logger } from '@slipway/shared/logger'
import {
  closeWithin,
  DRAIN_MS,
  hostAndPort,
  Readiness,
  startOperationsServer,
} from '@slipway/shared/rpc'

import { buildApp } from './app.ts'
import { createClients } from './backend/clients.ts'
import type { GatewayConfig } from './config.ts'
import { AnswerCache } from './public-answers/answer-cache.ts'
import { followCatalogChanges } from './public-answers/changes.ts'
import { PublicAnswers } from './public-answers/public-answers.ts'

/**
 * A running gateway. Disposing of it says "not ready", lets running requests end for a while, then
 * ends them, and closes its channels.
 */
export interface Gateway extends AsyncDisposable {
  /** Origin of the REST API, without a path. */
  readonly url: string
}

/** What a caller may bring instead of what the configuration says. */
export interface GatewayOverrides {
  readonly logger?: Logger
  readonly answerCache?: AnswerCache
  /** What a public read may take, and the wait for its turn as much again. */
  readonly publicReadMs?: number
  /** How long running requests may go on after a stop was asked for. */
  readonly drainMs?: number
  /** How long a connection may be silent that nothing is allowed more. */
  readonly silenceMs?: number
}

/** Starts the REST API and the operations listener. NATS may come later. */
export async function startGateway(
  config: GatewayConfig,
  overrides: GatewayOverrides = {},
): Promise<Gateway> {
  const logger = overrides.logger ?? createLogger('gateway', config.logLevel)
  const stack = new AsyncDisposableStack()
  try {
    const clients = stack.use(createClients(config))
    const publicAnswers = new PublicAnswers(
      overrides.answerCache ?? new AnswerCache({ maxBytes: config.limits.publicAnswerBytes }),
      config.corsOrigins.length > 0 ? 'Origin' : '',
      overrides.publicReadMs,
    )
    const nats = stack.use(connectNats({ url: config.natsUrl, name: 'gateway', logger }))
    stack.use(followCatalogChanges(nats, logger, publicAnswers))

    const readiness = new Readiness({})
    const app = await buildApp(
      {
        config,
        logger,
        clients,
        publicAnswers,
        tokenVerifier: createTokenVerifier(config.issuers),
      },
      readiness,
      overrides.silenceMs,
    )
    stack.defer(() =>
      closeWithin(app, overrides.drainMs ?? DRAIN_MS, (reason) => app.openCalls.endAll(reason)),
    )
    const url = await app.listen(hostAndPort(config.httpAddress))
    // Last, so that nobody is told "ready" before it is true.
    stack.use(await startOperationsServer(config.opsAddress, readiness, []))
    logger.info({ url }, 'listening')
    return {
      url,
      async [Symbol.asyncDispose]() {
        readiness.drain()
        await stack.disposeAsync()
      },
    }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}
