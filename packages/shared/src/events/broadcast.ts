// What a service without a database needs. The rest of this folder loads the database libraries,
// which take 10 MiB.
export { startBroadcastConsumer, type BroadcastConsumerOptions } from './broadcast-consumer.ts'
export { readNatsServers, type NatsServers } from './nats-servers.ts'
export { connectNats, type Nats, type NatsOptions } from './nats.ts'
