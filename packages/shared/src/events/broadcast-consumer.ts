import { fromBinary } from '@bufbuild/protobuf'
import { AckPolicy, DeliverPolicy, type JsMsg } from '@nats-io/jetstream'
import { nanos } from '@nats-io/nats-core'
import { EventSchema, type Event } from '@slipway/proto/slipway/events/v1/event'

import type { Logger } from '../logger.ts'
import { consume } from './consume.ts'
import type { Nats } from './nats.ts'
import { EVENT_STREAM } from './streams.ts'

/** How long the server keeps the consumer of a replica that is gone. */
const INACTIVE_MS = 60_000

/** A consumer that every replica has for itself. */
export interface BroadcastConsumerOptions {
  readonly nats: Nats
  readonly logger: Logger
  /** E.g. `slipway.deployment.>`. */
  readonly filterSubjects: readonly string[]
  /** Called for each new event, in order. */
  onEvent(event: Event, subject: string): void
  /**
   * Called when events may have been missed: at the start, after each reconnect or gap. Events from
   * then on arrive, so whoever drops here what they know, and reads it anew after, misses nothing.
   */
  onReset(): void
}

/**
 * Shows every replica the events as they happen, for caches and event streams; nothing is delivered
 * twice or later.
 */
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
      if (message.info.deliverySequence !== delivered) throw new Error('an event was missed')
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
