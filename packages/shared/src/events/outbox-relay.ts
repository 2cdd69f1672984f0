import { jetstream } from '@nats-io/jetstream'

import { withAdvisoryLock, type Database } from '../db/index.ts'
import type { Logger } from '../logging/logger.ts'
import { backoffMs, orAbort, sleep } from '../waiting.ts'
import { observeOutbox } from './delays.ts'
import type { Nats, NatsSession } from './nats.ts'
import {
  markPublished,
  removeOld,
  requeueUncertain,
  takeUnpublished,
  type OutboxRetention,
  type UnpublishedEvent,
} from './outbox-store.ts'
import { EVENT_STREAM } from './streams.ts'
import { WakeUp } from './wake-up.ts'

const BATCH_SIZE = 500
/**
 * Events within this time are published together, because querying the outbox costs more than
 * publishing them.
 */
const GATHER_MS = 20
const PUBLISH_TIMEOUT_MS = 5_000
const RETENTION: OutboxRetention = { days: 30, events: 1_000_000 }
const CLEANUP_INTERVAL_MS = 60 * 60 * 1000
/** Longer than the server's sync interval (default 2 min), shorter than the duplicate window. */
const UNSYNCED_MS = 5 * 60 * 1000

export interface OutboxRelayOptions<Schema> {
  readonly db: Database<Schema>
  readonly nats: Nats
  readonly logger: Logger
  /** Stops the relay, like disposing of it. */
  readonly signal?: AbortSignal
  /** How often to query the outbox without a notification; default 1 s. */
  readonly pollMs?: number
  /** Which published events are kept for replay; default: those of 30 days, at most a million. */
  readonly retention?: OutboxRetention
}

/**
 * Publishes the outbox of a service to JetStream, at least once and in order per aggregate. One
 * replica is active, the others are on standby. Failures are retried forever. Disposing of it
 * finishes the batch in progress.
 */
export function startOutboxRelay<Schema>(options: OutboxRelayOptions<Schema>): AsyncDisposable {
  const stopping = new AbortController()
  const signal = options.signal
    ? AbortSignal.any([stopping.signal, options.signal])
    : stopping.signal
  const running = standBy(options, signal)
  const gauge = observeOutbox(options.db)
  return {
    async [Symbol.asyncDispose]() {
      gauge[Symbol.dispose]()
      stopping.abort()
      await running
    },
  }
}

async function standBy<Schema>(
  options: OutboxRelayOptions<Schema>,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 0; !signal.aborted;) {
    try {
      await withAdvisoryLock(options.db, 'outbox-relay', { signal }, async (held) => {
        failures = 0
        options.logger.info('outbox_relay_active')
        await relay(options, held)
      })
    } catch (error) {
      if (!signal.aborted && failures === 0)
        options.logger.warn({ err: error }, 'outbox_relay_interrupted')
      failures += 1
    }
    const { pollMs = 1_000 } = options
    const waitMs = failures > 0 ? backoffMs(failures, { maxMs: 5_000 }) : pollMs
    await sleep(waitMs, signal)
  }
}

/** Runs while this process is the active one. Database errors end it, NATS errors don't. */
async function relay<Schema>(
  options: OutboxRelayOptions<Schema>,
  held: AbortSignal,
): Promise<void> {
  const wakeUp = new WakeUp()
  const listening = new AbortController()
  const listener = await options.db.openConnection('outbox')
  try {
    listener.on('notification', () => wakeUp.wake())
    listener.once('end', () => listening.abort(new Error('the LISTEN connection was lost')))
    await listener.query('LISTEN outbox')
    await publishForever(options, wakeUp, AbortSignal.any([held, listening.signal]))
  } finally {
    await listener.end()
  }
}

async function publishForever<Schema>(
  options: OutboxRelayOptions<Schema>,
  wakeUp: WakeUp,
  signal: AbortSignal,
): Promise<void> {
  const { db, nats, logger, pollMs = 1_000, retention = RETENTION } = options
  let lastSession: NatsSession | undefined
  let nextCleanup = 0
  for (let failures = 0; !signal.aborted;) {
    const session = await nats.session(signal)
    if (session !== lastSession) {
      const count = await requeueUncertain(db, session.streamId, UNSYNCED_MS)
      if (count > 0) logger.info({ count }, 'outbox_requeued')
      lastSession = session
    }
    const startedAt = performance.now()
    try {
      await drain(db, session, signal)
      failures = 0
    } catch (error) {
      if (!(error instanceof PublishError)) throw error
      if (failures === 0) logger.warn({ err: error.cause }, 'outbox_publish_failed')
      failures += 1
      await nats.recheck(session).catch(() => {})
      await sleep(backoffMs(failures, { maxMs: 2_000 }), signal)
      continue
    }
    if (performance.now() >= nextCleanup) {
      while ((await removeOld(db, retention, 1_000)) > 0 && !signal.aborted);
      nextCleanup = performance.now() + CLEANUP_INTERVAL_MS
    }
    await wakeUp.sleep(pollMs, signal)
    const earlyMs = startedAt + GATHER_MS - performance.now()
    if (earlyMs > 0) await sleep(earlyMs, signal)
  }
  signal.throwIfAborted()
}

/** Publishes until the outbox is empty. */
async function drain<Schema>(
  db: Database<Schema>,
  session: NatsSession,
  signal: AbortSignal,
): Promise<void> {
  const ended = AbortSignal.any([signal, session.signal])
  while (!ended.aborted) {
    const events = await takeUnpublished(db, BATCH_SIZE)
    const { published, error } = await publish(events, session, ended)
    if (published.length > 0) await markPublished(db, published, session.streamId)
    if (error !== undefined) throw new PublishError('NATS rejected an event', { cause: error })
    // Events committed meanwhile have notified the relay.
    if (events.length < BATCH_SIZE) return
  }
}

class PublishError extends Error {}

/** Publishes aggregates in parallel, and the events of one in order, up to the first failure. */
async function publish(
  events: UnpublishedEvent[],
  session: NatsSession,
  signal: AbortSignal,
): Promise<{ published: number[]; error: unknown }> {
  const client = jetstream(session.connection)
  const published: number[] = []
  let error: unknown
  const lanes = Map.groupBy(events, (event) => event.aggregateId)
  const all = Promise.all(
    Array.from(lanes.values(), async (lane) => {
      for (const { position, id, subject, payload } of lane) {
        if (signal.aborted || error !== undefined) return
        try {
          await client.publish(subject, payload, {
            msgID: id,
            timeout: PUBLISH_TIMEOUT_MS,
            expect: { streamName: EVENT_STREAM },
          })
          published.push(position)
        } catch (caught) {
          error ??= caught
        }
      }
    }),
  )
  // When the session ends, acknowledgements are lost: don't wait for their timeouts.
  await orAbort(all, signal).catch(() => {})
  return { published: [...published], error }
}
