import { ConfigError } from '@slipway/shared/config'
import { expect, test } from 'vitest'

import { readConfig } from './config.ts'

const issuers = JSON.stringify([{ issuer: 'https://issuer.example', kind: 'user' }])
const least = { DATABASE_URL: 'postgres://db.example/catalog', AUTH_ISSUERS: issuers }

test('the least configuration has safe defaults', () => {
  expect(readConfig(least)).toMatchObject({
    grpcAddress: '127.0.0.1:9101',
    database: { migrateOnStart: false, poolSize: 10 },
    limits: { specBytes: 262_144, readmeBytes: 524_288, nameHoldDays: 30 },
  })
})

test('everything that is wrong is told at once', () => {
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

test('a misspelt field of a provider is no setting that does nothing', () => {
  const read = () =>
    readConfig({ ...least, PROVIDER_OVERRIDES: '{"redis": {"imgae": "mirror.example/redis:7"}}' })
  expect(read).toThrow('PROVIDER_OVERRIDES: redis.imgae: is not a field of a provider')
})

test('what the operator decides about deployments reaches the template', () => {
  const { template } = readConfig({
    ...least,
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
