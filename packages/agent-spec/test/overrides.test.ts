import { describe, expect, test } from 'vitest'

import type { JsonValue } from '../src/index.ts'
import { prepare, resolve, specOf } from './support/fixtures.ts'

const spec = specOf(`
agent:
  image: a:1
  port: 80
  inputs:
    r: { name: REGION, datatype: string }
    s: { name: TOKEN, datatype: string, secret: true, optional: true }
models: { my.llm: { provider: ollama, model: m } }
knowledge: { docs: { provider: postgres, persistent: true }, cache: { container: { image: c:1 } } }
ingestion: { g: { container: { image: g:1 }, trigger: { type: manual } } }
`)
const userCredentials = { REGION: 'eu' }

function override(overrides: Record<string, JsonValue>) {
  return prepare(spec, { userCredentials, overrides })
}

test('overrides that fit only together are accepted', () => {
  const path = 'agent.resources.limits.memory'
  const overrides = { [path]: '8Mi', 'agent.resources.requests.memory': '8Mi' }
  expect(override(overrides)).toMatchObject({ problems: [], filled: { values: { overrides } } })
  expect(override({ ...overrides, [path]: '4Mi' }).problems).toEqual([
    'overrides.agent.resources.requests.memory: must not exceed the limit',
  ])
})

describe('accepts', () => {
  test.each<
    [
      string,
      JsonValue,
      (template: ReturnType<typeof override>['filled']['template']) => unknown,
      unknown,
    ]
  >([
    ['agent.replicas', 3, (t) => t.agent.replicas, 3],
    [
      'agent.resources.limits.memory',
      '2Gi',
      (t) => t.agent.resources.limits,
      { cpu: '1', memory: '2Gi' },
    ],
    [
      'agent.resources',
      { requests: { cpu: '1' } },
      (t) => t.agent.resources.requests,
      { cpu: '1', memory: '256Mi' },
    ],
    [
      'agent.environment.NEW',
      'x ${knowledge.docs.host}',
      (t) => t.agent.environment['NEW'],
      'x ${knowledge.docs.host}',
    ],
    [
      'agent.healthcheck',
      { path: '/up' },
      (t) => Object.keys(t.agent.healthcheck ?? {}).sort(),
      ['initial_delay', 'interval', 'path', 'retries', 'timeout'],
    ],
    ['agent.healthcheck', false, (t) => t.agent.healthcheck, undefined],
    ['agent.update', { strategy: 'recreate' }, (t) => t.agent.update, { strategy: 'recreate' }],
    [
      'agent.update.max_surge',
      1,
      (t) => t.agent.update,
      { strategy: 'rolling', max_unavailable: '25%', max_surge: 1 },
    ],
    ['agent.expose.enabled', true, (t) => t.agent.expose, { enabled: true }],
    [
      'models.my.llm.gpu',
      { count: 0 },
      (t) => t.models['my.llm']?.gpu,
      { runtime: 'cuda', count: 0 },
    ],
    [
      'models.my.llm.persistent',
      true,
      (t) => t.models['my.llm']?.storage,
      { size: '50Gi', access_mode: 'ReadWriteOnce', mount_path: '/root/.ollama' },
    ],
    [
      'knowledge.docs.storage',
      { size: '1Ti', class: 'fast' },
      (t) => t.knowledge['docs']?.storage,
      {
        size: '1Ti',
        class: 'fast',
        access_mode: 'ReadWriteOnce',
        mount_path: '/var/lib/postgresql/data',
      },
    ],
    ['knowledge.docs.persistent', false, (t) => t.knowledge['docs']?.storage, undefined],
    ['knowledge.cache.environment.X', '1', (t) => t.knowledge['cache']?.environment, { X: '1' }],
    [
      'ingestion.g.environment.__proto__',
      '1',
      (t) => Object.keys(t.ingestion['g']?.environment ?? {}).includes('__proto__'),
      true,
    ],
    ['observability.enabled', false, (t) => t.observability, { enabled: false }],
  ])('%s = %j', (path, value, read, expected) => {
    const { filled, problems } = override({ [path]: value })
    expect(problems).toEqual([])
    expect(read(filled.template)).toEqual(expected)
    expect(filled.values.overrides).toEqual({ [path]: value })
  })

  test('accepts a plain required input as an override', () => {
    expect(prepare(spec, { overrides: { 'agent.environment.REGION': 'us' } }).problems).toEqual([])
  })

  test('requests no GPU if its count is 0', () => {
    expect(
      resolve(override({ 'models.my.llm.gpu.count': 0 }).filled)['model-my.llm']?.gpu,
    ).toBeUndefined()
  })
})

describe('rejects', () => {
  test.each<[string, JsonValue, string]>([
    ['agent.image', 'x', 'overrides.agent.image: not an editable path of this agent'],
    ['agent', {}, 'overrides.agent: not an editable path of this agent'],
    ['agent.environment', {}, 'overrides.agent.environment: not an editable path of this agent'],
    [
      'models.none.replicas',
      1,
      'overrides.models.none.replicas: not an editable path of this agent',
    ],
    [
      'credentials.TOKEN.value',
      'x',
      'overrides.credentials.TOKEN.value: not an editable path of this agent',
    ],
    ['__proto__.x', 1, 'overrides.__proto__.x: not an editable path of this agent'],
    ['agent.replicas', '3', 'overrides.agent.replicas: must be a whole number from 0 to 100'],
    ['agent.replicas', 101, 'overrides.agent.replicas: must be a whole number from 0 to 100'],
    [
      'knowledge.docs.replicas',
      2,
      'overrides.knowledge.docs.replicas: a persistent component can have at most one replica',
    ],
    [
      'agent.resources',
      { requests: { cpu: '2' } },
      'overrides.agent.resources.requests.cpu: must not exceed the limit',
    ],
    [
      'agent.resources.limits.memory',
      'lots',
      'overrides.agent.resources.limits.memory: ' +
        'must be a quantity greater than zero, like 500m, 2 or 1Gi',
    ],
    ['agent.resources.limits.disk', '1', 'overrides.agent.resources.limits.disk: unknown field'],
    [
      'agent.environment.A-B',
      'x',
      'overrides.agent.environment.A-B: not a valid name for an environment variable',
    ],
    ['agent.environment.A', 1, 'overrides.agent.environment.A: must be a string'],
    [
      'agent.environment.TOKEN',
      'x',
      'overrides.agent.environment.TOKEN: is a credential: set it in user_credentials',
    ],
    [
      'agent.environment.A',
      '${nothing}',
      'agent.environment.A: ${nothing} is not a reference (write $${ for a literal ${)',
    ],
    [
      'agent.environment.AGENT_HOST',
      'x',
      'agent.environment.AGENT_HOST: this variable is set by the platform',
    ],
    [
      'agent.healthcheck',
      { path: '/', tcp: true },
      'overrides.agent.healthcheck: needs exactly one of path, command and tcp',
    ],
    [
      'agent.update',
      { max_unavailable: 0, max_surge: '0%' },
      'overrides.agent.update: max_unavailable and max_surge must not both be zero',
    ],
    [
      'knowledge.cache.storage',
      { size: '1Gi' },
      'overrides.knowledge.cache.storage: this component is not persistent',
    ],
    [
      'knowledge.docs.storage.class',
      'Not A Class',
      'overrides.knowledge.docs.storage.class: must be the name of a storage class',
    ],
    ['observability.enabled', 'no', 'overrides.observability.enabled: must be true or false'],
  ])('%s = %j', (path, value, problem) => {
    expect(override({ [path]: value }).problems).toEqual([problem])
  })
})
