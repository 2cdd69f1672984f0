import { expect, test } from 'vitest'
import { grpcAddresses, maxReplicas, serviceEndpoints } from './endpoints.ts'
import { serviceNames } from './settings.ts'

const many = Object.fromEntries(serviceNames.map((name) => [name, maxReplicas])) as Record<
  (typeof serviceNames)[number],
  number
>

test('the first replica has the documented ports, the next ones twenty more each', () => {
  const settings = { replicas: { ...many, catalog: 2 }, port: 8080 }
  expect(serviceEndpoints('catalog', settings)).toEqual([
    { daemon: 'catalog', grpc: '127.0.0.1:9101', ops: '127.0.0.1:9111', http: undefined, otlpPort: undefined },
    { daemon: 'catalog-2', grpc: '127.0.0.1:9121', ops: '127.0.0.1:9131', http: undefined, otlpPort: undefined },
  ])
  expect(grpcAddresses('catalog', settings)).toBe('127.0.0.1:9101,127.0.0.1:9121')
})

test('no two processes want the same port', () => {
  const settings = { replicas: many, port: 8080 }
  const addresses = serviceNames.flatMap((name) =>
    serviceEndpoints(name, settings).flatMap(({ grpc, ops, http, otlpPort }) => [
      grpc,
      ops,
      http,
      otlpPort ?? undefined,
    ]),
  )
  const known = ['127.0.0.1:9200', '127.0.0.1:9432', ...addresses.filter((each) => each !== undefined)]
  expect(new Set(known).size).toBe(known.length)
})
