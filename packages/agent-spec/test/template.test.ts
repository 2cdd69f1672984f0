import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

import { buildTemplate, parseSpec, templateToYaml, withProviderOverrides } from '../src/index.ts'
import { readCorpus } from './support/corpus.ts'
import { settings, source, specOf, templateOf } from './support/fixtures.ts'

describe('the agent', () => {
  test.each([
    ['the image of the spec', 'agent: { image: mine:2 }', 'mine:2'],
    [
      'a default by registry, name and build',
      'agent: { build: { context: ., dockerfile: D } }',
      'registry.example.com/acme/example:b1',
    ],
  ])('image: %s', (_, yaml, image) => {
    expect(templateOf(yaml).agent.image).toBe(image)
  })

  test.each([
    [
      'its healthcheck',
      '{ image: a:1, healthcheck: { path: /up, retries: 9 } }',
      { path: '/up', retries: 9 },
    ],
    [
      'a check that restarts it',
      '{ image: a:1, healthcheck: { path: /ready, liveness: { path: /alive, retries: 9 } } }',
      {
        path: '/ready',
        liveness: { path: '/alive', interval: '10s', timeout: '5s', retries: 9 },
      },
    ],
    ['a command', '{ image: a:1, healthcheck: { test: [CMD, a, b] } }', { command: ['a', 'b'] }],
    [
      'a shell command',
      '{ image: a:1, healthcheck: { test: [CMD-SHELL, a && b] } }',
      { command: ['/bin/sh', '-c', 'a && b'] },
    ],
    ['a command without CMD', '{ image: a:1, healthcheck: { test: [a] } }', { command: ['a'] }],
    ['a connection to its port', '{ image: a:1, port: 3000 }', { tcp: true }],
    ['nothing if the spec has neither', '{ image: a:1 }', undefined],
  ])('is probed by %s', (_, agent, expected) => {
    const timing = { initial_delay: '10s', interval: '10s', timeout: '5s', retries: 3 }
    const { healthcheck } = templateOf(`agent: ${agent}`).agent
    expect(healthcheck).toEqual(expected && { ...timing, ...expected })
  })
})

describe('components', () => {
  test('get the defaults of their kind', () => {
    const { models, knowledge, tools, ingestion } = templateOf(`
models:
  gpu: { container: { image: m:1, gpu: { vram: 24Gi }, persistent: true } }
  cloud: { provider: openai }
knowledge:
  kept: { provider: qdrant, persistent: true }
  lost: { container: { image: k:1, persistent: false } }
tools:
  plain: { container: { image: t:1 } }
ingestion:
  job: { container: { image: i:1 }, trigger: { type: schedule } }
  hook: { container: { image: i:1, port: 1234 }, trigger: { type: webhook } }
`)
    expect(Object.keys(models)).toEqual(['gpu'])
    expect(models['gpu']).toEqual({
      image: 'm:1',
      port: 8080,
      replicas: 1,
      resources: { requests: { cpu: '2', memory: '8Gi' }, limits: { cpu: '4', memory: '16Gi' } },
      update: { strategy: 'recreate' },
      gpu: { vram: '24Gi', runtime: 'cuda', count: 1 },
      persistent: true,
      storage: { size: '50Gi', access_mode: 'ReadWriteOnce', mount_path: '/data' },
    })
    expect(knowledge['kept']).toMatchObject({
      provider: 'qdrant',
      port: 6333,
      persistent: true,
      storage: { size: '10Gi', mount_path: '/qdrant/storage' },
      update: { strategy: 'recreate' },
      healthcheck: { path: '/healthz' },
    })
    expect(knowledge['lost']).toMatchObject({
      persistent: false,
      update: { strategy: 'rolling', max_surge: '25%' },
    })
    expect(tools['plain']).toMatchObject({
      resources: {
        requests: { cpu: '100m', memory: '256Mi' },
        limits: { cpu: '1', memory: '1Gi' },
      },
    })
    expect(ingestion['job']).toMatchObject({
      resources: {
        requests: { cpu: '100m', memory: '256Mi' },
        limits: { cpu: '500m', memory: '512Mi' },
      },
      trigger: { type: 'schedule', schedule: '' },
    })
    expect(ingestion['hook']).toMatchObject({
      port: 1234,
      trigger: { type: 'webhook' },
      healthcheck: { tcp: true },
    })
  })

  test('get images that the operator overrides', () => {
    const providers = withProviderOverrides(settings.providers, {
      redis: { image: 'mirror/redis@sha256:1' },
    })
    const { knowledge } = templateOf('knowledge: { c: { provider: redis } }', {
      ...settings,
      providers,
    })
    expect(knowledge['c']?.image).toBe('mirror/redis@sha256:1')
    expect(() => withProviderOverrides(settings.providers, { openai: { image: 'x' } })).toThrow(
      'openai',
    )
  })
})

test('builds the same bytes from the same input, in the documented order', () => {
  for (const { text } of readCorpus('valid')) {
    const once = JSON.stringify(templateOf(parseSpec(text).spec))
    expect(JSON.stringify(templateOf(parseSpec(text).spec))).toBe(once)
  }
  expect(Object.keys(templateOf(''))).toEqual([
    'spec',
    'source',
    'target',
    'agent',
    'models',
    'knowledge',
    'tools',
    'ingestion',
    'interfaces',
    'credentials',
    'observability',
    'editable',
  ])
})

test('includes the namespace if it is known', () => {
  const build = (namespace?: string) =>
    buildTemplate({
      spec: specOf(''),
      source,
      settings,
      ...(namespace === undefined ? {} : { namespace }),
    })
  expect(build('agent-x-1').target).toEqual({ runtime: 'kubernetes', namespace: 'agent-x-1' })
  expect(build().target).toEqual({ runtime: 'kubernetes' })
})

test('writes the same values as YAML and JSON', () => {
  for (const { text } of readCorpus('valid')) {
    const template = templateOf(parseSpec(text).spec)
    expect(parse(templateToYaml(template))).toEqual(JSON.parse(JSON.stringify(template)))
  }
})
