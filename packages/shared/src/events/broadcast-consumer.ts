import { fromBinary } from '@bufbuild/protobuf'
import { AckPolicy, DeliverPolicy, type JsMsg } from '@nats-io/jetstream'
import { nanos } from '@nats-io/nats-core'
import { EventSchema, type Event } from '@slipway/proto/slipway/events/v1/event'

import type { Logger } from '../logging/logger.ts'
import { consume } from './consume.ts'
import type { Nats } from './nats.ts'
import { EVENT_STREAM } from './streams.ts'

/** How long the server keeps the consumer of a replica that has stopped. */
const INACTIVE_MS = 60_000

/** A consumer that receives every event in every replica. */
export interface BroadcastConsumerOptions {
  readonly nats: Nats
  readonly logger: Logger
  /** E.g. `slipway.deployment.>`. */
  readonly filterSubjects: readonly string[]
  /** Called for each new event, in order. */
  onEvent(event: Event, subject: string): void
  /**
   * Called when events may have been missed: at the start, and after each reconnect or gap. Later
   * events are delivered, so a cache that is cleared here misses no change.
   */
  onReset(): void
}

/** Delivers new events to every replica, for caches and event streams. Nothing is redelivered. */
export function startBroadcastConsumer(options: BroadcastConsumerOptions): AsyncDisposable {
  const { nats, logger, filterSubjects } = options
  let delivered = 0
  return consume({
    nats,
    logger,
    name: 'broadcast',
    prefetch: 500,
    async ensureConsumer(manager) {
      const { name } = await manager.consumers.add(EVENT_STREAM, {
        filter_subjects: [...filterSubjects],
        ack_policy: AckPolicy.None,
        deliver_policy: DeliverPolicy.New,
        inactive_threshold: nanos(INACTIVE_MS),
        mem_storage: true,
        num_replicas: 1,
      })
      delivered = 0
      options.onReset()
      return name
    },
    async onMessage(message) {
      delivered += 1
      if (message.info.deliverySequence !== delivered) throw new Error('events were missed')
      notify(options, message)
    },
    onEnd: (manager, consumer) => manager.consumers.delete(EVENT_STREAM, consumer),
  })
}

function notify(options: BroadcastConsumerOptions, message: JsMsg): void {
  try {
    options.onEvent(fromBinary(EventSchema, message.data), message.subject)
  } catch (error) {
    options.logger.error({ err: error, subject: message.subject }, 'event_handling_failed')
  }
}
