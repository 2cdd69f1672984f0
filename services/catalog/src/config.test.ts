import { ConfigError } from '@slipway/shared/config'
import { expect, test } from 'vitest'

import { readConfig } from './config.ts'

const issuers = JSON.stringify([{ issuer: 'https://issuer.example', kind: 'user' }])
const minimal = { DATABASE_URL: 'postgres://db.example/catalog', AUTH_ISSUERS: issuers }

test('the minimal configuration has safe defaults', () => {
  expect(readConfig(minimal)).toMatchObject({
    grpcAddress: '127.0.0.1:9101',
    database: { migrateOnStart: false, poolSize: 10 },
    limits: { specBytes: 262_144, readmeBytes: 524_288, nameHoldDays: 30 },
  })
})

test('all problems are reported at once', () => {
  const env = {
    AUTH_ISSUERS: '[]',
    DATABASE_POOL_SIZE: 'many',
    PROVIDER_OVERRIDES: '{"nobody": {}}',
    MIGRATE_ON_START: '1',
  }
  const read = () => readConfig(env)
  expect(read).toThrow(ConfigError)
  for (const name of ['DATABASE_URL', ...Object.keys(env)]) expect(read).toThrow(name)
})

test('an unknown field of a provider is reported', () => {
  const read = () =>
    readConfig({ ...minimal, PROVIDER_OVERRIDES: '{"redis": {"imgae": "mirror.example/redis:7"}}' })
  expect(read).toThrow('PROVIDER_OVERRIDES: redis.imgae: is not a field of a provider')
})

test('the operator’s settings for deployments become template settings', () => {
  const { template } = readConfig({
    ...minimal,
    PROVIDER_OVERRIDES: '{"redis": {"image": "mirror.example/redis:7"}}',
    MESSAGING_IMAGE: 'mirror.example/messaging:1',
    MESSAGING_ADAPTERS: 'web, slack',
    STORAGE_CLASS: 'fast',
  })
  expect(template).toMatchObject({
    messaging: { image: 'mirror.example/messaging:1', adapters: ['web', 'slack'] },
    storageClass: 'fast',
  })
  expect(template.providers.find(({ name }) => name === 'redis')).toMatchObject({
    image: 'mirror.example/redis:7',
  })
})
