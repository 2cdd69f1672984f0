import { setTimeout as delay } from 'node:timers/promises'

import { podsOf, type Service } from '../../support/release.ts'

const OPERATIONS_PORT = 9110

/** The counter of the requests that a replica has answered. */
const COUNTERS: Readonly<Record<Service, string>> = {
  gateway: 'http_server_request_duration_seconds_count',
  catalog: 'rpc_server_call_duration_seconds_count',
  deployer: 'rpc_server_call_duration_seconds_count',
  observability: 'rpc_server_call_duration_seconds_count',
}

/** The share of the requests that each replica of a service answers during `timeMs`, 0 to 1. */
export async function sharesOf(service: Service, timeMs: number): Promise<number[]> {
  const addresses = (await podsOf(service)).flatMap(({ status }) => status.podIP ?? [])
  const count = () => Promise.all(addresses.map((address) => countAt(address, COUNTERS[service])))
  const before = await count()
  await delay(timeMs)
  const answered = (await count()).map((after, index) => after - (before[index] ?? 0))
  const total = answered.reduce((sum, each) => sum + each, 0)
  return answered.map((each) => each / total)
}

async function countAt(address: string, counter: string): Promise<number> {
  const text = await (await fetch(`http://${address}:${OPERATIONS_PORT}/metrics`)).text()
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${counter}{`))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}
