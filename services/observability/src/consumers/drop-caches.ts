import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { Event } from '@slipway/proto/slipway/events/v1/event'
import { startBroadcastConsumer, type Nats } from '@slipway/shared/events'
import type { Logger } from '@slipway/shared/logger'
import type { MachineTokenVerifier } from '@slipway/shared/machine-tokens'
import type { Memberships } from '@slipway/shared/memberships'

import type { TracedAgent } from '../domain/traced-agent.ts'
import type { IngestTokens } from '../ingest/listeners/ingest-tokens.ts'
import { deploymentOf } from './deployment-of.ts'

interface Caches {
  readonly memberships: Memberships<TracedAgent>
  readonly machineTokens: MachineTokenVerifier
  readonly tokens: IngestTokens
}

/** Starts the consumer that drops cached memberships, agents and tokens when they change. */
export function dropCaches(
  { memberships, machineTokens, tokens }: Caches,
  nats: Nats,
  logger: Logger,
): AsyncDisposable {
  return startBroadcastConsumer({
    nats,
    logger,
    filterSubjects: [
      'slipway.account.>',
      'slipway.agent.>',
      'slipway.build.>',
      'slipway.deployment.>',
    ],
    onEvent(event, subject) {
      if (subject.startsWith('slipway.account.')) machineTokens.drop(event.accountId)
      if (!subject.startsWith('slipway.deployment.')) memberships.drop(event.accountId)
      else if (event.payload.case !== 'deploymentStateChanged') checkTokens(tokens, event)
    },
    onReset() {
      memberships.drop()
      machineTokens.drop()
      tokens.recheckAll()
    },
  })
}

function checkTokens(tokens: IngestTokens, event: Event): void {
  const { aggregateId: deploymentId, payload } = event
  if (payload.case === 'ingestTokenRotated') {
    const { formerExpireTime } = payload.value
    if (formerExpireTime === undefined) tokens.forgetDeployment(deploymentId)
    else tokens.recheckDeployment(deploymentId, timestampMs(formerExpireTime))
  } else if (deploymentOf(event)?.isLive === false) tokens.forgetDeployment(deploymentId)
  else tokens.recheckDeployment(deploymentId)
}
