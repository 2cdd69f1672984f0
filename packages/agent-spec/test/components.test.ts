import { describe, expect, test } from 'vitest'

import { withProviderOverrides } from '../src/index.ts'
import { prepare, resolve, settings, specOf } from './support/fixtures.ts'

function componentsOf(yaml: string, platform = settings) {
  const { filled, problems } = prepare(specOf(yaml), {}, platform)
  expect(problems).toEqual([])
  return resolve(filled, {}, platform)
}

describe('the agent', () => {
  test('knows itself and where its traces go', () => {
    const { agent } = componentsOf('agent: { image: a:1, port: 3000 }')
    expect(agent).toMatchObject({ telemetry: true, ports: [{ name: 'http', port: 3000 }] })
    expect(agent?.environment.plain).toEqual({
      AGENT_HOST: 'example-agent',
      AGENT_URL: 'http://example-agent:3000',
      ASTRO_AGENT_BUILD: 'b1',
      ASTRO_AGENT_NAME: 'example',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://ingest:4318',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
      OTEL_RESOURCE_ATTRIBUTES: 'a=b%20c',
      OTEL_SERVICE_NAME: 'example',
    })
  })

  test('has no telemetry when it is switched off', () => {
    const { filled } = prepare(specOf(''), { overrides: { 'observability.enabled': false } })
    const { agent } = resolve(filled)
    expect(agent?.telemetry).toBe(false)
    expect(
      Object.keys(agent?.environment.plain ?? {}).filter((name) => name.startsWith('OTEL')),
    ).toEqual([])
  })

  test.each([
    ['qdrant', 'QDRANT_URL', 'http://example-knowledge-k:6333'],
    ['redis', 'REDIS_URL', 'redis://example-knowledge-k:6379'],
    ['neo4j', 'NEO4J_URL', 'bolt://example-knowledge-k:7687'],
    ['neo4j', 'NEO4J_PORT', '7474'],
  ])('reaches %s by %s', (provider, name, value) => {
    expect(
      componentsOf(`knowledge: { k: { provider: ${provider} } }`)['agent']?.environment.plain[name],
    ).toBe(value)
  })

  test('has the login of postgres, the password only as a secret', () => {
    const { agent } = componentsOf('knowledge: { db: { provider: postgres } }')
    expect(agent?.environment.plain).toMatchObject({ POSTGRES_USER: 'agent', POSTGRES_DB: 'agent' })
    expect(agent?.environment.secret).toEqual({
      POSTGRES_PASSWORD: 'pw/knowledge.db',
      POSTGRES_URL: 'postgresql://agent:pw%2Fknowledge.db@example-knowledge-db:5432/agent',
    })
  })
})

describe('providers', () => {
  test('ollama pulls its model before it starts', () => {
    const model = componentsOf('models: { m: { provider: ollama, model: llama3.2 } }')['model-m']
    expect(model).toMatchObject({
      gpu: { runtime: 'cuda', count: 1 },
      user: { uid: 1000 },
      writablePaths: ['/root', '/root/.ollama'],
      probe: { check: { kind: 'http', path: '/api/tags', port: 11434 } },
    })
    expect(model?.environment.plain).toMatchObject({
      OLLAMA_HOST: '0.0.0.0',
      OLLAMA_PULL_MODEL: 'llama3.2',
    })
    expect(model?.prepare?.command.join(' ')).toContain('ollama pull "$OLLAMA_PULL_MODEL"')
    expect(componentsOf('models: { m: { provider: ollama } }')['model-m']?.prepare).toBeUndefined()
  })

  test('a persistent redis keeps its data, another one needs a place to write', () => {
    const { 'knowledge-a': kept, 'knowledge-b': lost } = componentsOf(
      'knowledge: { a: { provider: redis, persistent: true }, b: { provider: redis } }',
    )
    expect(kept).toMatchObject({ storage: { size: '10Gi', mountPath: '/data' }, writablePaths: [] })
    expect(kept?.args).toContain('--appendonly')
    expect(lost?.writablePaths).toEqual(['/data'])
    expect(lost?.storage).toBeUndefined()
  })

  test('postgres gets its password, its own user and a subdirectory', () => {
    const store = componentsOf('knowledge: { db: { provider: postgres, persistent: true } }')[
      'knowledge-db'
    ]
    expect(store?.environment).toEqual({
      plain: {
        PGDATA: '/var/lib/postgresql/data/pgdata',
        POSTGRES_DB: 'agent',
        POSTGRES_USER: 'agent',
      },
      secret: { POSTGRES_PASSWORD: 'pw/knowledge.db' },
    })
    expect(store?.user).toEqual({ uid: 999, gid: 999, fsGroup: 999 })
  })

  test('every port is there', () => {
    const { 'knowledge-q': store } = componentsOf('knowledge: { q: { provider: qdrant } }')
    expect(store?.ports).toEqual([
      { name: 'http', port: 6333 },
      { name: 'grpc', port: 6334 },
    ])
  })

  test('a row may be given a password', () => {
    const password = {
      environment: { REDIS_PASSWORD: '{password}' },
      args: ['--requirepass', '$(REDIS_PASSWORD)'],
    }
    const platform = {
      ...settings,
      providers: withProviderOverrides(settings.providers, { redis: { password } }),
    }
    const { agent, 'knowledge-r': store } = componentsOf(
      'knowledge: { r: { provider: redis } }',
      platform,
    )
    expect(store?.environment.secret).toEqual({ REDIS_PASSWORD: 'pw/knowledge.r' })
    expect(store?.args.slice(-2)).toEqual(password.args)
    expect(agent?.environment.secret).toEqual({
      REDIS_PASSWORD: 'pw/knowledge.r',
      REDIS_URL: 'redis://:pw%2Fknowledge.r@example-knowledge-r:6379',
    })
  })
})

test('a container gets its own variables and nothing else', () => {
  const { 'tool-t': tool } = componentsOf(`
models: { m: { container: { image: m:1, port: 9 } } }
tools:
  t:
    container: { image: t:1, environment: { M: "\${models.m.host}:\${models.m.port}", S: "\${source.account}/\${source.registry}" } }
    inputs: { d: { name: DEPTH, datatype: number, default: 3 } }
`)
  expect(tool?.environment).toEqual({
    plain: { DEPTH: '3', M: 'example-model-m:9', S: 'acme/https://registry.example.com/acme/' },
    secret: {},
  })
})

test('an ingestion reaches the agent and the stores', () => {
  const { 'ingestion-g': job } = componentsOf(`
knowledge: { k: { provider: qdrant } }
ingestion: { g: { container: { image: g:1, port: 90 }, trigger: { type: webhook } } }
`)
  expect(job).toMatchObject({
    trigger: { type: 'webhook' },
    expose: { port: 90 },
    telemetry: false,
  })
  expect(job?.environment.plain).toMatchObject({
    AGENT_URL: 'http://example-agent:8080',
    QDRANT_PORT: '6333',
  })
})
