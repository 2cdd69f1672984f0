import { expect, test } from 'vitest'

import { withProviderOverrides } from './provider-overrides.ts'
import { defaultProviders } from './providers.ts'

const rowOf = (name: string, overrides: unknown) =>
  withProviderOverrides(defaultProviders, overrides).find((row) => row.name === name)

test('accepts every field of a self-hosted row, and changes only that row', () => {
  for (const row of defaultProviders) {
    if (row.kind !== 'self-hosted') continue
    const { kind, section, name, ...fields } = row
    const changed = withProviderOverrides(defaultProviders, {
      [name]: JSON.parse(JSON.stringify(fields)),
    })
    expect([kind, section, changed]).toEqual([row.kind, row.section, defaultProviders])
  }
  expect(rowOf('redis', { redis: { image: 'mirror/redis:7', uid: 5 } })).toMatchObject({
    image: 'mirror/redis:7',
    uid: 5,
    ports: [{ port: 6379 }],
  })
  expect(rowOf('qdrant', { redis: { image: 'mirror/redis:7' } })).toEqual(
    defaultProviders.find(({ name }) => name === 'qdrant'),
  )
})

test.each([
  [[], 'must be a JSON object'],
  ['redis', 'must be a JSON object'],
  [{ openai: {} }, 'there is no self-hosted provider named "openai"'],
  [{ redis: 'x' }, 'redis: must be a mapping'],
  [{ redis: { imgae: 'x' } }, 'redis.imgae: is not a field of a provider'],
  [{ redis: { name: 'x' } }, 'redis.name: is not a field of a provider'],
  [{ redis: { kind: 'cloud' } }, 'redis.kind: is not a field of a provider'],
  [{ redis: { image: 7 } }, 'redis.image: must be a string'],
  [{ redis: { image: null } }, 'redis.image: must have a value'],
  [{ redis: { uid: '999' } }, 'redis.uid: must be a whole number'],
  [{ redis: { ports: [] } }, 'redis.ports: must not be empty'],
  [{ redis: { ports: [{ port: 6379 }] } }, 'redis.ports[0].name: is required'],
  [
    { redis: { ports: [{ name: 'x', port: 70_000 }] } },
    'redis.ports[0].port: must be a whole number',
  ],
  [
    { redis: { password: { enviroment: {}, args: [] } } },
    'redis.password.enviroment: is not a field of a provider',
  ],
  [
    { redis: { probe: { path: '/', command: ['x'] } } },
    'redis.probe: needs exactly one of path and command',
  ],
  [
    { redis: { url: { scheme: 'redis', port: 6379, user: null } } },
    'redis.url.user: must have a value',
  ],
])('rejects %j: %s', (overrides, problem) => {
  expect(() => withProviderOverrides(defaultProviders, overrides)).toThrow(problem)
})

test('reports all problems at once', () => {
  const wrong = { redis: { imgae: 'x', uid: -1 }, unknown: {} }
  expect(() => withProviderOverrides(defaultProviders, wrong)).toThrow(
    /imgae.*redis\.uid.*"unknown"/,
  )
})
