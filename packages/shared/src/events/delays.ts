import { jetstreamManager } from '@nats-io/jetstream'

import type { Database } from '../db/index.ts'
import { observe } from '../telemetry/measures.ts'
import type { Nats } from './nats.ts'
import { ageOfOldestUnpublished } from './outbox-store.ts'
import { EVENT_STREAM } from './streams.ts'

const READ_TIMEOUT_MS = 2_000

/** Measures for how long the oldest event of a service has waited to be published. */
export function observeOutbox<Schema>(db: Database<Schema>): Disposable {
  const gauge = {
    name: 'slipway.events.unpublished.seconds',
    description: 'Age of the oldest event in the outbox that NATS has not acknowledged',
  }
  return observe(gauge, {}, () => ageOfOldestUnpublished(db))
}

/**
 * Measures for how long a durable consumer has acknowledged no event, while there are events for
 * it. It also grows when the server never gets the acknowledgements.
 */
export function observeConsumer(nats: Nats, durable: string): Disposable {
  const gauge = {
    name: 'slipway.events.unhandled.seconds',
    description: 'Time since a consumer with waiting events last acknowledged one',
  }
  return observe(gauge, { 'messaging.consumer.group.name': durable }, async () => {
    if (!nats.isReady) return undefined
    const { connection } = await nats.session(AbortSignal.timeout(READ_TIMEOUT_MS))
    const manager = await jetstreamManager(connection, { timeout: READ_TIMEOUT_MS })
    const info = await manager.consumers.info(EVENT_STREAM, durable)
    if (info.num_pending + info.num_ack_pending === 0) return 0
    const since = info.ack_floor.last_active ?? info.created
    return Math.max(0, (Date.now() - Date.parse(String(since))) / 1000)
  })
}
