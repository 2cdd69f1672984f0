import {
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  jetstreamManager,
  type JetStreamManager,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream'
import { nanos, type NatsConnection } from '@nats-io/nats-core'

/**
 * The stream of all events; its subjects are `slipway.<kind>.<account id>.<aggregate id>.<event>`.
 */
export const EVENT_STREAM = 'SLIPWAY'

/**
 * The stream of events that a consumer gave up on; its subjects are
 * `slipway-dead-letter.<durable>`.
 */
export const DEAD_LETTER_STREAM = 'SLIPWAY_DEAD_LETTER'

const STREAM_NOT_FOUND = 10059
const DAY_MS = 24 * 60 * 60 * 1000

/** How the streams keep what they are given. */
export interface StreamSettings {
  /** How long the stream keeps an event; default 7 days. The outbox keeps it longer. */
  readonly maxAgeDays?: number
  /** Copies of the streams in a NATS cluster; default 1. */
  readonly replicas?: number
}

/**
 * How long the server drops an event that it has already: longer than what is republished after a
 * reconnect.
 */
const DUPLICATE_WINDOW_MS = 10 * 60 * 1000
const DEAD_LETTER_MAX_AGE_DAYS = 90

/**
 * Makes the streams that are missing and brings the others up to date. Tells which event stream it
 * is: another one than before when the old one was lost and made anew. Waits for `beforeMaking`
 * where one is missing.
 */
export async function ensureStreams(
  connection: NatsConnection,
  settings: StreamSettings,
  beforeMaking?: () => Promise<void>,
): Promise<string> {
  const manager = await jetstreamManager(connection)
  const common = {
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    num_replicas: settings.replicas ?? 1,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
  }
  const deadLetters = {
    ...common,
    name: DEAD_LETTER_STREAM,
    subjects: ['slipway-dead-letter.>'],
    max_age: nanos(DEAD_LETTER_MAX_AGE_DAYS * DAY_MS),
  }
  const events = {
    ...common,
    name: EVENT_STREAM,
    subjects: ['slipway.>'],
    max_age: nanos((settings.maxAgeDays ?? 7) * DAY_MS),
  }
  await ensureStream(manager, deadLetters, beforeMaking)
  const { created } = await ensureStream(manager, events, beforeMaking)
  return String(created)
}

type WantedStream = Pick<
  StreamConfig,
  'duplicate_window' | 'max_age' | 'name' | 'num_replicas' | 'subjects'
>

async function ensureStream(
  manager: JetStreamManager,
  wanted: WantedStream,
  beforeMaking?: () => Promise<void>,
): Promise<StreamInfo> {
  const found = await findStream(manager, wanted.name)
  if (!found) {
    await beforeMaking?.()
    // Adding is idempotent as long as all who do it at once want the same.
    return await manager.streams.add(wanted)
  }
  const isCurrent =
    found.config.max_age === wanted.max_age &&
    found.config.duplicate_window === wanted.duplicate_window &&
    found.config.num_replicas === wanted.num_replicas
  return isCurrent ? found : await manager.streams.update(wanted.name, wanted)
}

async function findStream(
  manager: JetStreamManager,
  name: string,
): Promise<StreamInfo | undefined> {
  try {
    return await manager.streams.info(name)
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === STREAM_NOT_FOUND) return undefined
    throw error
  }
}
