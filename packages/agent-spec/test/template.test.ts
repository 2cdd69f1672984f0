import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

import { buildTemplate, parseSpec, templateToYaml, withProviderOverrides } from '../src/index.ts'
import { readCorpus } from './support/corpus.ts'
import { settings, source, specOf, templateOf } from './support/fixtures.ts'

describe('the agent', () => {
  test.each([
    ['the file’s own image', 'agent: { image: mine:2 }', 'mine:2'],
    [
      'else one by registry, name and build',
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
    ['a command', '{ image: a:1, healthcheck: { test: [CMD, a, b] } }', { command: ['a', 'b'] }],
    [
      'a shell command',
      '{ image: a:1, healthcheck: { test: [CMD-SHELL, a && b] } }',
      { command: ['/bin/sh', '-c', 'a && b'] },
    ],
    [
      'a command without a leading word',
      '{ image: a:1, healthcheck: { test: [a] } }',
      { command: ['a'] },
    ],
    ['whether the stated port accepts', '{ image: a:1, port: 3000 }', { tcp: true }],
    ['nothing when it states neither', '{ image: a:1 }', undefined],
  ])('is probed by %s', (_, agent, expected) => {
    const timing = { initial_delay: '10s', interval: '10s', timeout: '5s', retries: 3 }
    const { healthcheck } = templateOf(`agent: ${agent}`).agent
    expect(healthcheck).toEqual(expected && { ...timing, ...expected })
  })
})

describe('components', () => {
  test('have the defaults of their kind', () => {
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

  test('take their images from the operator’s table', () => {
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

describe('the agent’s variables', () => {
  const environmentOf = (yaml: string) => templateOf(yaml).agent.environment

  test('of one provider are bare', () => {
    expect(environmentOf('knowledge: { graph: { provider: neo4j } }')).toEqual({
      NEO4J_HOST: '${knowledge.graph.host}',
      NEO4J_PORT: '${knowledge.graph.port}',
      NEO4J_URL: '${knowledge.graph.url}',
    })
  })

  test('of several of one provider are qualified, the first has both', () => {
    const names = Object.keys(
      environmentOf('knowledge: { redis: { provider: redis }, b-2: { provider: redis } }'),
    )
    expect(names).toEqual([
      'REDIS_B_2_HOST',
      'REDIS_B_2_PORT',
      'REDIS_B_2_URL',
      'REDIS_HOST',
      'REDIS_PORT',
      'REDIS_REDIS_HOST',
      'REDIS_REDIS_PORT',
      'REDIS_REDIS_URL',
      'REDIS_URL',
    ])
    expect(
      environmentOf('knowledge: { redis: { provider: redis }, b-2: { provider: redis } }')[
        'REDIS_URL'
      ],
    ).toBe('${knowledge.b-2.url}')
  })

  test('of a model have its base URL and name', () => {
    expect(environmentOf('models: { m: { provider: ollama, model: "llama:${x}" } }')).toMatchObject(
      {
        OLLAMA_BASE_URL: '${models.m.url}/api',
        OLLAMA_MODEL: 'llama:$${x}',
      },
    )
  })

  test('of containers are named by section and entry', () => {
    const container = '{ container: { image: c:1 } }'
    const names = Object.keys(
      environmentOf(
        `models: { a-b: ${container} }\nknowledge: { k: ${container} }\ntools: { t: ${container} }`,
      ),
    )
    expect(names).toEqual([
      'KNOWLEDGE_K_HOST',
      'KNOWLEDGE_K_PORT',
      'MODEL_A_B_HOST',
      'MODEL_A_B_PORT',
      'MODEL_A_B_URL',
      'TOOL_T_HOST',
      'TOOL_T_PORT',
      'TOOL_T_URL',
    ])
  })

  test('of inputs are their defaults, or what is to be given', () => {
    const template = templateOf(`
agent:
  image: a:1
  inputs:
    a: { name: LIST, datatype: array, default: [1, two] }
    b: { name: FLAG, datatype: boolean, default: false }
    c: { name: NEEDED, datatype: string, description: why }
    d: { name: MAYBE, datatype: string, optional: true }
models:
  cloud: { provider: openai, inputs: { t: { name: TEMPERATURE, datatype: number, default: 0.5 } } }
`)
    expect(template.agent.environment).toEqual({
      FLAG: 'false',
      LIST: '[1,"two"]',
      MAYBE: '${credentials.MAYBE}',
      NEEDED: '${credentials.NEEDED}',
      OPENAI_API_KEY: '${credentials.OPENAI_API_KEY}',
      TEMPERATURE: '0.5',
    })
    expect(template.agent.inputs).toEqual(['FLAG', 'LIST', 'TEMPERATURE'])
    expect(template.credentials['NEEDED']).toEqual({ value: '', description: 'why', secret: false })
    expect(template.credentials['MAYBE']).toEqual({
      value: '',
      description: '',
      optional: true,
      secret: false,
    })
  })
})

test('an ingestion has addresses and credentials, not the agent’s own inputs', () => {
  const { ingestion } = templateOf(`
agent: { image: a:1, inputs: { s: { name: AGENT_SECRET, datatype: string, secret: true } } }
models: { m: { provider: openai, inputs: { p: { name: PLAIN, datatype: string, default: x } } } }
knowledge: { k: { provider: redis } }
tools: { t: { container: { image: t:1 }, inputs: { s: { name: TOOL_KEY, datatype: string, secret: true } } } }
ingestion:
  g:
    container: { image: g:1, environment: { REDIS_URL: own } }
    trigger: { type: manual }
    inputs: { d: { name: DEPTH, datatype: number, default: 2 } }
`)
  expect(Object.keys(ingestion['g']?.environment ?? {})).toEqual([
    'DEPTH',
    'OPENAI_API_KEY',
    'REDIS_HOST',
    'REDIS_PORT',
    'REDIS_URL',
    'TOOL_KEY',
    'TOOL_T_HOST',
    'TOOL_T_PORT',
    'TOOL_T_URL',
  ])
  expect(ingestion['g']?.environment?.['REDIS_URL']).toBe('own')
})

test('the same input gives the same bytes, in the documented order', () => {
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

test('the namespace is there when it is known', () => {
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

test('YAML and JSON say the same', () => {
  for (const { text } of readCorpus('valid')) {
    const template = templateOf(parseSpec(text).spec)
    expect(parse(templateToYaml(template))).toEqual(JSON.parse(JSON.stringify(template)))
  }
})
