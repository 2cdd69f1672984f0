import type { ResolvedComponent } from '@slipway/agent-spec'
import { expect, test } from 'vitest'

import type { Identity } from '../manifests/identity.ts'
import { newTelemetrySecret } from './ingest-token.ts'
import { planSecrets, type SecretNaming } from './plan-secrets.ts'

const KEY = Buffer.alloc(32, 1)
const identity: Identity = {
  deploymentId: 'd1',
  accountId: 'a1',
  agent: 'agent',
  buildId: 'b1',
  namespace: 'agent-agent-1',
}

function secretOf(secret: Readonly<Record<string, string>>, naming: Partial<SecretNaming> = {}) {
  const component = { name: 'agent', kind: 'agent', environment: { plain: {}, secret } }
  const all = [component as unknown as ResolvedComponent]
  const { secrets, plan } = planSecrets(identity, all, {}, { nameKey: KEY, ...naming })
  return { name: secrets[0]?.name ?? '', data: secrets[0]?.data ?? {}, plan }
}

const urlWith = (password: string) => ({ URL: `postgres://u:${password}@db`, KEY: 'k1' })
const stored = ({ name, data }: ReturnType<typeof secretOf>) => [name, data] as const

test('a plan has the names of the deploy, which generates other passwords', () => {
  const planned = secretOf(urlWith('one'), { generated: ['one'] })
  const deployed = secretOf(urlWith('two'), { generated: ['two'] })
  expect(planned.name).toBe(deployed.name)
  expect(secretOf({ ...urlWith('one'), KEY: 'k2' }, { generated: ['one'] }).name).not.toBe(
    planned.name,
  )
  const contents = new Map([stored(deployed)])
  expect(secretOf(urlWith('two'), { generated: ['two'], contents }).name).toBe(deployed.name)
})

test('another content never has the name of a Secret that exists', () => {
  const first = secretOf(urlWith('one'), { generated: ['one'] })
  const contents = new Map([stored(first)])
  const second = secretOf(urlWith('two'), { generated: ['two'], contents })
  expect(second.name).not.toBe(first.name)
  const both = new Map([stored(first), stored(second)])
  expect(secretOf(urlWith('two'), { generated: ['two'], contents: both }).name).toBe(second.name)
})

test('a Secret that somebody has changed keeps its name, so that the deploy restores it', () => {
  const first = secretOf(urlWith('one'), { generated: ['one'] })
  for (const forged of [{ FORGED: 'x' }, {}, { ...urlWith('one'), KEY: 'forged' }]) {
    const contents = new Map([[first.name, forged]])
    expect(secretOf(urlWith('one'), { generated: ['one'], contents }).name).toBe(first.name)
  }
})

test('a Secret of an earlier release keeps its name', () => {
  const name = 'agent-agent-of-before'
  const former = { roles: { agent: { secret: name, keys: ['KEY', 'URL'] } }, sources: {} }
  const contents = new Map([[name, urlWith('one')]])
  const naming = { generated: ['one'], contents, former }
  expect(secretOf(urlWith('one'), naming).name).toBe(name)
  expect(secretOf({ ...urlWith('one'), KEY: 'k2' }, naming).name).not.toBe(name)
})

test('the Secret of an ingest token has another name when the token is replaced or lost', () => {
  const names = [null, null, 'lost']
    .map((lost) => newTelemetrySecret(identity, lost, new Map(), KEY))
    .map(({ secret }) => secret.name)
  expect(names[0]).toBe(names[1])
  expect(names[2]).not.toBe(names[0])
  const contents = new Map([[names[0] ?? '', {}]])
  const { secret } = newTelemetrySecret(identity, null, contents, KEY)
  expect(names).not.toContain(secret.name)
})
