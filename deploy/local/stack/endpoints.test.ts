import { expect, test } from 'vitest'
import { MAX_REPLICAS, rpcAddresses, serviceEndpoints } from './endpoints.ts'
import { SERVICE_NAMES } from './settings.ts'

const many = Object.fromEntries(SERVICE_NAMES.map((name) => [name, MAX_REPLICAS])) as Record<
  (typeof SERVICE_NAMES)[number],
  number
>

test('gives the first replica the documented ports, and each further one thirty more', () => {
  const settings = { replicas: { ...many, catalog: 2 }, port: 8080 }
  expect(serviceEndpoints('catalog', settings)).toEqual([
    expect.objectContaining({
      daemon: 'catalog',
      grpc: '127.0.0.1:9101',
      connect: '127.0.0.1:9121',
      ops: '127.0.0.1:9111',
    }),
    expect.objectContaining({
      daemon: 'catalog-2',
      grpc: '127.0.0.1:9131',
      connect: '127.0.0.1:9151',
      ops: '127.0.0.1:9141',
    }),
  ])
  expect(serviceEndpoints('observability', settings)[0]).toMatchObject({
    otlpPort: 4318,
    otlpGrpcPort: 4317,
  })
  expect(rpcAddresses('catalog', settings)).toBe('127.0.0.1:9121,127.0.0.1:9151')
  expect(rpcAddresses('deployer', { ...settings, replicas: { ...many, deployer: 2 } })).toBe(
    '127.0.0.1:9102,127.0.0.1:9132',
  )
})

test('assigns each port to only one process', () => {
  const settings = { replicas: many, port: 8080 }
  const addresses = SERVICE_NAMES.flatMap((name) =>
    serviceEndpoints(name, settings).flatMap(
      ({ grpc, connect, ops, http, otlpPort, otlpGrpcPort }) => [
        grpc,
        connect,
        ops,
        http,
        ...[otlpPort, otlpGrpcPort].map((port) => port && `127.0.0.1:${port}`),
      ],
    ),
  )
  const known = [
    '127.0.0.1:9200',
    '127.0.0.1:9432',
    ...addresses.filter((each) => each !== undefined),
  ]
  expect(new Set(known).size).toBe(known.length)
})
