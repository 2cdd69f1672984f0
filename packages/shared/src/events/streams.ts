import {
  DiscardPolicy,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  jetstreamManager,
  type JetStreamManager,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream'
import { nanos, type NatsConnection } from '@nats-io/nats-core'

import type { Logger } from '../logging/logger.ts'

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
/** Error codes: no room in the account, on the servers of a cluster, and on the disk. */
const NO_ROOM: ReadonlySet<number> = new Set([10002, 10023, 10047])
const DAY_MS = 24 * 60 * 60 * 1000

/**
 * How long the server remembers event ids, to drop duplicates. It is longer than the period whose
 * events are published again after a reconnect.
 */
const DUPLICATE_WINDOW_MS = 10 * 60 * 1000
const DEAD_LETTER_MAX_AGE_DAYS = 90
const DEAD_LETTER_MAX_BYTES = 64 * 1024 * 1024
/** The outbox keeps an event longer than the stream. */
const EVENT_MAX_AGE_DAYS = 7

export interface StreamSettings {
  /** The number of copies of each stream. */
  readonly replicas: number
  /** The size of the event stream, which then drops its oldest events. */
  readonly maxBytes: number
  readonly logger: Logger
}

/**
 * Creates missing streams, after `beforeCreating`, and updates the settings of the others. Copies
 * are added but never removed, because a service may still have an older setting. Returns the id of
 * the event stream, which changes when the stream was lost and is created again.
 */
export async function ensureStreams(
  connection: NatsConnection,
  { replicas, maxBytes, logger }: StreamSettings,
  beforeCreating?: () => Promise<void>,
): Promise<string> {
  const manager = await jetstreamManager(connection)
  const common = {
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    num_replicas: replicas,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
  }
  const deadLetters = {
    ...common,
    name: DEAD_LETTER_STREAM,
    subjects: ['slipway-dead-letter.>'],
    max_age: nanos(DEAD_LETTER_MAX_AGE_DAYS * DAY_MS),
    max_bytes: DEAD_LETTER_MAX_BYTES,
  }
  const events = {
    ...common,
    name: EVENT_STREAM,
    subjects: ['slipway.>'],
    max_age: nanos(EVENT_MAX_AGE_DAYS * DAY_MS),
    max_bytes: maxBytes,
  }
  await ensureStream(manager, deadLetters, logger, beforeCreating)
  const { created } = await ensureStream(manager, events, logger, beforeCreating)
  return String(created)
}

type WantedStream = Pick<
  StreamConfig,
  'duplicate_window' | 'max_age' | 'max_bytes' | 'name' | 'num_replicas' | 'subjects'
>

async function ensureStream(
  manager: JetStreamManager,
  wanted: WantedStream,
  logger: Logger,
  beforeCreating?: () => Promise<void>,
): Promise<StreamInfo> {
  const found = await findStream(manager, wanted.name)
  if (!found) {
    await beforeCreating?.()
    // Adding is idempotent while all concurrent callers want the same settings.
    return await manager.streams.add(wanted)
  }
  const isCurrent =
    found.config.max_age === wanted.max_age &&
    found.config.max_bytes === wanted.max_bytes &&
    found.config.duplicate_window === wanted.duplicate_window &&
    found.config.num_replicas >= wanted.num_replicas
  if (isCurrent) return found
  const replicas = Math.max(found.config.num_replicas, wanted.num_replicas)
  const next = { ...wanted, num_replicas: replicas }
  try {
    return await manager.streams.update(wanted.name, next)
  } catch (error) {
    if (!(error instanceof JetStreamApiError && NO_ROOM.has(error.code))) throw error
    // Events go on as before: a server that is too small must not stop them.
    logger.warn(
      { err: error, stream: wanted.name, max_bytes: wanted.max_bytes },
      'stream_not_bounded',
    )
    const max_bytes = found.config.max_bytes
    return await manager.streams.update(wanted.name, { ...next, max_bytes })
  }
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
