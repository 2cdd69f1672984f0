import { jetstream, jetstreamManager, type JetStreamManager, type JsMsg } from '@nats-io/jetstream'

import type { Logger } from '../logging/logger.ts'
import { backoffMs, sleep } from '../waiting.ts'
import type { Nats, NatsSession } from './nats.ts'
import { EVENT_STREAM } from './streams.ts'

/** The consumer is checked after two missed heartbeats. */
const IDLE_HEARTBEAT_MS = 5_000

/** The differences between the kinds of consumers. */
export interface ConsumeOptions {
  readonly nats: Nats
  readonly logger: Logger
  /** For the log. */
  readonly name: string
  /** How many messages to request ahead. */
  readonly prefetch: number
  /**
   * Creates the consumer on the server if it doesn't exist, and returns its name. Called at the
   * start of each session.
   */
  ensureConsumer(manager: JetStreamManager): Promise<string>
  /** Called for one message at a time. `ended` fires when it can no longer be acknowledged. */
  onMessage(message: JsMsg, ended: AbortSignal): Promise<void>
  /** Cleans up on the server, if it is reachable. */
  onEnd?(manager: JetStreamManager, consumer: string): Promise<unknown>
}

/**
 * Consumes the event stream, over any number of sessions, until it is disposed of. The message in
 * progress is finished.
 */
export function consume(options: ConsumeOptions): AsyncDisposable {
  const stopping = new AbortController()
  const running = consumeForever(options, stopping.signal)
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await running
    },
  }
}

async function consumeForever(options: ConsumeOptions, signal: AbortSignal): Promise<void> {
  const { nats, logger, name } = options
  for (let failures = 0; !signal.aborted;) {
    let session: NatsSession | undefined
    try {
      session = await nats.session(signal)
      await consumeSession(options, session, AbortSignal.any([signal, session.signal]), () => {
        failures = 0
      })
    } catch (error) {
      if (signal.aborted) return
      if (session && !session.signal.aborted) {
        if (failures === 0)
          logger.warn({ err: error, consumer: name }, 'event_consumer_interrupted')
        await nats.recheck(session).catch(() => {})
      }
      failures += 1
      await sleep(backoffMs(failures, { maxMs: 2_000 }), signal)
    }
  }
}

async function consumeSession(
  options: ConsumeOptions,
  session: NatsSession,
  ended: AbortSignal,
  onMessageDone: () => void,
): Promise<void> {
  const manager = await jetstreamManager(session.connection, { checkAPI: false })
  const name = await options.ensureConsumer(manager)
  const consumer = await jetstream(session.connection).consumers.get(EVENT_STREAM, name)
  const messages = await consumer.consume({
    max_messages: options.prefetch,
    idle_heartbeat: IDLE_HEARTBEAT_MS,
    abort_on_missing_resource: true,
  })
  const stop = (): void => messages.stop()
  ended.addEventListener('abort', stop, { once: true })
  try {
    if (ended.aborted) return
    for await (const message of messages) {
      await options.onMessage(message, ended)
      if (ended.aborted) return
      onMessageDone()
    }
    if (!ended.aborted) throw new Error(`the consumer ${name} no longer exists`)
  } finally {
    ended.removeEventListener('abort', stop)
    messages.stop()
    if (!session.signal.aborted) await options.onEnd?.(manager, name).catch(() => {})
  }
}
