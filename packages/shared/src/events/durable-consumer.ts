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
import type { Logger } from '../logging/logger.ts'
import { measureEvent } from '../telemetry/measures.ts'
import { openSpan } from '../telemetry/spans.ts'
import { backoffMs, sleep } from '../waiting.ts'
import { consume } from './consume.ts'
import { deadLetter } from './dead-letter.ts'
import { observeConsumer } from './delays.ts'
import type { Nats } from './nats.ts'
import { EVENT_STREAM } from './streams.ts'

/** The server redelivers a message after this time without a sign of progress. */
const ACK_WAIT_MS = 5_000
const CONSUMER_NOT_FOUND = 10014

/** How an event was delivered. */
export interface EventMeta {
  readonly subject: string
  /** The number of this replica's attempts to handle the event, counted from 1. */
  readonly attempt: number
  /** Fires when the event can no longer be acknowledged: it will be redelivered. */
  readonly signal: AbortSignal
}

/** A consumer that all replicas of a service share. The server remembers its position. */
export interface DurableConsumerOptions {
  readonly nats: Nats
  readonly logger: Logger
  /** Its name on the server, and in the subject of its dead letters. */
  readonly durable: string
  /** E.g. `slipway.deployment.>`. */
  readonly filterSubjects: readonly string[]
  /** After how many failures an event becomes a dead letter; default 5. */
  readonly maxDeliver?: number
  /** Must be idempotent (see `applyOnce`): events are redelivered after a crash. */
  handle(event: Event, meta: EventMeta): Promise<void>
}

/**
 * Delivers each event to one replica, one at a time, so that the events of an aggregate stay in
 * order even while one fails. An event whose handler fails is retried with increasing pauses, then
 * published to `slipway-dead-letter.<durable>`. An event that fails because a dependency is
 * unavailable is retried until the dependency is available.
 */
export function startDurableConsumer(options: DurableConsumerOptions): AsyncDisposable {
  const running = new AsyncDisposableStack()
  running.use(
    consume({
      nats: options.nats,
      logger: options.logger,
      name: options.durable,
      prefetch: 10,
      ensureConsumer: (manager) => ensureDurable(manager, options),
      onMessage: (message, ended) => settle(options, message, ended),
    }),
  )
  running.use(observeConsumer(options.nats, options.durable))
  return running
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
      // Failures are counted here: the server can't distinguish a bad event from an unavailable
      // database, and would drop both.
      max_deliver: -1,
    })
  }
  return durable
}

/**
 * Handles a message until it is acknowledged or becomes a dead letter. If the session ends first,
 * the server redelivers it.
 */
async function settle(
  options: DurableConsumerOptions,
  message: JsMsg,
  ended: AbortSignal,
): Promise<void> {
  const { logger, durable, maxDeliver = 5 } = options
  const progress = setInterval(() => message.working(), ACK_WAIT_MS / 3)
  try {
    let failures = 0
    for (let attempt = 1; !ended.aborted; attempt += 1) {
      const isGivenUp = failures >= maxDeliver || isCrashLoop(message, maxDeliver)
      try {
        if (isGivenUp) {
          await deadLetter(options.nats, message, durable, ended)
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
        if (isGivenUp) await recheckStreams(options.nats, ended)
        else if (!(error instanceof Unavailable) && !isTransient(error)) failures += 1
        if (isGivenUp || failures < maxDeliver)
          await sleep(backoffMs(attempt - 1, { maxMs: 15_000 }), ended)
      }
    }
    // Makes the server redeliver it immediately instead of after the timeout.
    message.nak()
  } finally {
    clearInterval(progress)
  }
}

/** Publishing a dead letter may have failed because its stream is missing. */
async function recheckStreams(nats: Nats, ended: AbortSignal): Promise<void> {
  try {
    await nats.recheck(await nats.session(ended))
  } catch {
    // The next attempt rechecks again.
  }
}

/** Calls the handler, in a span of the trace that caused the event. */
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
 * Whether a message was delivered too often without a result, so that it probably crashes the
 * process.
 */
function isCrashLoop(message: JsMsg, maxDeliver: number): boolean {
  return message.info.deliveryCount > maxDeliver * 4
}
