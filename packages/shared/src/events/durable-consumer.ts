import { fromBinary } from '@bufbuild/protobuf'
import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiError,
  type JetStreamManager,
  type JsMsg,
} from '@nats-io/jetstream'
import { nanos } from '@nats-io/nats-core'
import { EventSchema, type Event } from '@slipway/proto/slipway/events/v1/event'

import { isTransient } from '../db/index.ts'
import { Unavailable } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { measureEvent } from '../telemetry/measures.ts'
import { openSpan } from '../telemetry/spans.ts'
import { backoffMs, sleep } from '../waiting.ts'
import { consume } from './consume.ts'
import { buryMessage } from './dead-letter.ts'
import type { Nats } from './nats.ts'
import { EVENT_STREAM } from './streams.ts'

/** After so long without a sign from us the server gives the message to another replica. */
const ACK_WAIT_MS = 5_000
const CONSUMER_NOT_FOUND = 10014

/** What is known of an event beside its content. */
export interface EventMeta {
  readonly subject: string
  /** Counts from 1 how often the handler has been given this event without a break. */
  readonly attempt: number
  /** Fires when the work can't be acknowledged any more: the event will be delivered again. */
  readonly signal: AbortSignal
}

/** A consumer that keeps its place on the server and is shared by all replicas of a service. */
export interface DurableConsumerOptions {
  readonly nats: Nats
  readonly logger: Logger
  /** Its name on the server, and on the dead-letter subject. */
  readonly durable: string
  /** E.g. `slipway.deployment.>`. */
  readonly filterSubjects: readonly string[]
  /** After how many failures an event goes to the dead letters; default 5. */
  readonly maxDeliver?: number
  /** Must be idempotent (`applyOnce`): after a crash, an event comes again. */
  handle(event: Event, meta: EventMeta): Promise<void>
}

/**
 * Hands each event to one replica, one at a time, so in order per aggregate even while one fails.
 * An event whose handler fails is tried again with growing pauses, then published to
 * `slipway-dead-letter.<durable>`; one that fails because something is unavailable is tried for as
 * long as that lasts, since it is not the event that is wrong.
 */
export function startDurableConsumer(options: DurableConsumerOptions): AsyncDisposable {
  return consume({
    nats: options.nats,
    logger: options.logger,
    name: options.durable,
    prefetch: 10,
    ensureConsumer: (manager) => ensureDurable(manager, options),
    onMessage: (message, ended) => settle(options, message, ended),
  })
}

async function ensureDurable(
  manager: JetStreamManager,
  options: DurableConsumerOptions,
): Promise<string> {
  const { durable } = options
  const changeable = {
    filter_subjects: [...options.filterSubjects],
    ack_wait: nanos(ACK_WAIT_MS),
    max_ack_pending: 1,
  }
  try {
    const { config } = await manager.consumers.info(EVENT_STREAM, durable)
    const subjects = config.filter_subjects ?? [config.filter_subject]
    if (subjects.join() !== options.filterSubjects.join()) {
      await manager.consumers.update(EVENT_STREAM, durable, changeable)
    }
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== CONSUMER_NOT_FOUND) throw error
    await manager.consumers.add(EVENT_STREAM, {
      ...changeable,
      durable_name: durable,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      // Counting is done here: the server can't tell a bad event from a database that is down, and
      // would drop both.
      max_deliver: -1,
    })
  }
  return durable
}

/**
 * Handles, acknowledges or buries one message; leaves it to the server's redelivery when the
 * session ends first.
 */
async function settle(
  options: DurableConsumerOptions,
  message: JsMsg,
  ended: AbortSignal,
): Promise<void> {
  const { logger, durable, maxDeliver = 5 } = options
  const stillAlive = setInterval(() => message.working(), ACK_WAIT_MS / 3)
  try {
    let wrong = 0
    for (let attempt = 1; !ended.aborted; attempt += 1) {
      const isGivenUp = wrong >= maxDeliver || crashesUs(message, maxDeliver)
      try {
        if (isGivenUp) {
          await buryMessage(options.nats, message, durable, ended)
          logger.error({ consumer: durable, subject: message.subject }, 'event_dead_lettered')
        } else {
          await handle(options, message, { subject: message.subject, attempt, signal: ended })
          message.ack()
        }
        return
      } catch (error) {
        if (!ended.aborted) {
          logger.warn(
            { err: error, consumer: durable, subject: message.subject, attempt },
            'event_handling_failed',
          )
        }
        if (isGivenUp) await lookAfterStreams(options.nats, ended)
        else if (!(error instanceof Unavailable) && !isTransient(error)) wrong += 1
        if (isGivenUp || wrong < maxDeliver)
          await sleep(backoffMs(attempt - 1, { mostMs: 15_000 }), ended)
      }
    }
    // Another replica, or the next session, need not wait for the server's time-out.
    message.nak()
  } finally {
    clearInterval(stillAlive)
  }
}

/** What can't be buried finds no stream of dead letters, perhaps. */
async function lookAfterStreams(nats: Nats, ended: AbortSignal): Promise<void> {
  try {
    await nats.recheck(await nats.session(ended))
  } catch {
    // It is tried again with the next burial.
  }
}

/** Gives the handler the event, in a span of the trace that led to it. */
async function handle(
  options: DurableConsumerOptions,
  message: JsMsg,
  meta: EventMeta,
): Promise<void> {
  const startedAt = performance.now()
  const event = fromBinary(EventSchema, message.data)
  const span = openSpan({ kind: 'consumer', name: `process ${options.durable}`, parent: event })
  const end = (outcome: 'ok' | 'failed') => {
    measureEvent(options.durable, outcome, (performance.now() - startedAt) / 1000)
    span?.end(
      { 'messaging.destination.name': meta.subject, 'messaging.message.id': event.id },
      outcome === 'ok' ? undefined : outcome,
    )
  }
  try {
    await options.handle(event, meta)
    end('ok')
  } catch (error) {
    end('failed')
    throw error
  }
}

/**
 * Delivered this often without anybody having lived to tell: it is likely the event that ends the
 * process.
 */
function crashesUs(message: JsMsg, maxDeliver: number): boolean {
  return message.info.deliveryCount > maxDeliver * 4
}
