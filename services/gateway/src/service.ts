import { startTokenVerifier } from '@slipway/shared/auth'
import { connectNats } from '@slipway/shared/events/broadcast'
import { createLogger, type Logger } from '@slipway/shared/logger'
import { createRemoteVerifier, withMachineTokens } from '@slipway/shared/machine-tokens'
import {
  boundAddress,
  closeWithin,
  DRAIN_MS,
  followRpcCa,
  hostAndPort,
  NOTICE_MS,
  Readiness,
  startOperationsServer,
} from '@slipway/shared/rpc'

import { buildApp } from './app.ts'
import { createClients } from './backend/clients.ts'
import { dropMachineTokens } from './backend/drop-machine-tokens.ts'
import type { GatewayConfig } from './config.ts'
import { TokenBuckets } from './http/limits/token-buckets.ts'
import { AnswerCache } from './public-answers/answer-cache.ts'
import { followCatalogChanges } from './public-answers/drop-on-change.ts'
import { PublicAnswers } from './public-answers/public-answers.ts'
import { dropSessions } from './sessions/drop-sessions.ts'
import { createSignIn } from './sessions/sign-in.ts'

/**
 * A running gateway. Disposing it reports "not ready", asks clients to use other connections, ends
 * waits and endless streams, lets other requests run for a while, aborts the rest, and closes the
 * channels.
 */
export interface Gateway extends AsyncDisposable {
  /** Origin of the REST API, without a path. */
  readonly url: string
}

/** Replacements for values from the configuration; for tests. */
export interface GatewayOverrides {
  readonly logger?: Logger
  readonly answerCache?: AnswerCache
  /** Deadline of a public read, and how long it waits for a slot. */
  readonly publicReadMs?: number
  /** How long clients are asked to use other connections, once the gateway is stopping. */
  readonly noticeMs?: number
  /** How long running requests may continue after that. */
  readonly drainMs?: number
  /** How long a connection may be silent, unless its response may take longer. */
  readonly silenceMs?: number
}

/** Starts the REST API and the operations listener. NATS may connect later. */
export async function startGateway(
  config: GatewayConfig,
  overrides: GatewayOverrides = {},
): Promise<Gateway> {
  const logger = overrides.logger ?? createLogger('gateway', config.logLevel)
  const stack = new AsyncDisposableStack()
  try {
    const rpcCa = stack.use(followRpcCa(config.rpcCa, logger))
    const clients = stack.use(createClients(config, rpcCa?.value))
    const publicAnswers = new PublicAnswers({
      cache:
        overrides.answerCache ?? new AnswerCache({ maxBytes: config.limits.publicAnswerBytes }),
      varyOn: config.corsOrigins.length > 0 ? ['Origin'] : [],
      readTimeoutMs: overrides.publicReadMs,
    })
    const nats = stack.use(connectNats({ ...config.nats, name: 'gateway', logger }))
    stack.use(followCatalogChanges(nats, logger, publicAnswers))
    const machineTokenVerifier = createRemoteVerifier(clients.catalog)
    stack.use(dropMachineTokens(nats, logger, machineTokenVerifier))

    const tokenVerifier = withMachineTokens(
      await startTokenVerifier(config.issuers, logger),
      machineTokenVerifier,
    )
    const { agentHosts, publicUrl } = config
    const signIn =
      config.signIn && createSignIn(config.signIn, { clients, tokenVerifier, logger, agentHosts })
    if (publicUrl !== undefined) signIn?.sharedSite.check(publicUrl)
    if (signIn !== undefined) stack.use(dropSessions(nats, logger, signIn.sessions))

    const readiness = new Readiness(rpcCa ? { rpc_ca: rpcCa.check } : {}, logger)
    const app = await buildApp(
      {
        config,
        logger,
        clients,
        publicAnswers,
        machineTokenVerifier,
        tokenVerifier,
        changes: new TokenBuckets(config.rateLimits.changes),
        signIn,
      },
      readiness,
      overrides.silenceMs,
    )
    stack.defer(() =>
      closeWithin(app, {
        noticeMs: overrides.noticeMs ?? NOTICE_MS,
        drainMs: overrides.drainMs ?? DRAIN_MS,
        endWaits: () => app.openCalls.stop(),
        endCalls: (reason) => app.openCalls.endAll(reason),
      }),
    )
    const url = await app.listen(hostAndPort(config.httpAddress))
    // Started last, so that it never reports "ready" too early.
    stack.use(await startOperationsServer(config.opsAddress, readiness))
    logger.info({ http: boundAddress(config.httpAddress, new URL(url).port) }, 'listening')
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
