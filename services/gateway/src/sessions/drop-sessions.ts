import { startBroadcastConsumer, type Nats } from '@slipway/shared/events/broadcast'
import type { Logger } from '@slipway/shared/logger'

import type { Sessions } from './sessions.ts'

/** Drops cached sessions when they were ended, and when an event may be lost. */
export function dropSessions(nats: Nats, logger: Logger, sessions: Sessions): AsyncDisposable {
  return startBroadcastConsumer({
    nats,
    logger,
    filterSubjects: ['slipway.user.*.*.sessions_ended'],
    onEvent: ({ accountId }) => sessions.drop(accountId),
    onReset: () => sessions.drop(),
  })
}
