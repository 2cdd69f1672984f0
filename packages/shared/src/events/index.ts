export { appendEvent, type AppendedEvent, type EventInput, type EventKind } from './append-event.ts'
export { applyOnce } from './apply-once.ts'
export * from './broadcast.ts'
export {
  startDurableConsumer,
  type DurableConsumerOptions,
  type EventMeta,
} from './durable-consumer.ts'
export { consumedEventMigration, outboxMigration } from './migrations.ts'
export { startOutboxRelay, type OutboxRelayOptions } from './outbox-relay.ts'
export { replayOutbox } from './outbox-store.ts'
export { DEAD_LETTER_STREAM, EVENT_STREAM } from './streams.ts'
