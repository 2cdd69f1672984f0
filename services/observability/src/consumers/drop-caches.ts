import { startBroadcastConsumer, type Nats } from '@slipway/shared/events'
import type { Logger } from '@slipway/shared/logger'

import type { IngestTokens } from '../ingest/ingest-tokens.ts'
import type { AccessChecker } from '../access/membership.ts'
import { deploymentOf } from './deployment-of.ts'

/**
 * Drops what this process remembers of memberships and ingest tokens as soon as an event says that
 * it has changed.
 */
export function dropCaches(
  { access, tokens }: { access: AccessChecker; tokens: IngestTokens },
  nats: Nats,
  logger: Logger,
): AsyncDisposable {
  return startBroadcastConsumer({
    nats,
    logger,
    filterSubjects: ['slipway.account.>', 'slipway.deployment.>'],
    onEvent(event, subject) {
      if (subject.startsWith('slipway.account.')) access.drop(event.accountId)
      else if (event.payload.case !== 'deploymentStateChanged') {
        const isGone =
          event.payload.case === 'ingestTokenRotated' || deploymentOf(event)?.isLive === false
        tokens.forgetDeployment(event.aggregateId, { isGone })
      }
    },
    onReset() {
      access.drop()
      tokens.recheckAll()
    },
  })
}
