import { describe, expect, test } from 'vitest'

import { withProviderOverrides } from '../src/index.ts'
import { prepare, resolve, settings, specOf } from './support/fixtures.ts'

function componentsOf(yaml: string, platform = settings) {
  const { filled, problems } = prepare(specOf(yaml), {}, platform)
  expect(problems).toEqual([])
  return resolve(filled, {}, platform)
}

describe('the agent', () => {
  test('gets its own name and address, and the address for traces', () => {
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
      OTEL_SEMCONV_STABILITY_OPT_IN: 'gen_ai_latest_experimental',
      OTEL_SERVICE_NAME: 'example',
    })
  })

  test('has no telemetry if it is turned off', () => {
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
  ])('gets the address of %s in %s', (provider, name, value) => {
    expect(
      componentsOf(`knowledge: { k: { provider: ${provider} } }`)['agent']?.environment.plain[name],
    ).toBe(value)
  })

  test('gets the login of postgres, with the password as a secret', () => {
    const { agent } = componentsOf('knowledge: { db: { provider: postgres } }')
    expect(agent?.environment.plain).toMatchObject({ POSTGRES_USER: 'agent', POSTGRES_DB: 'agent' })
    expect(agent?.environment.secret).toEqual({
      POSTGRES_PASSWORD: 'pw/knowledge.db',
      POSTGRES_URL: 'postgresql://agent:pw%2Fknowledge.db@example-knowledge-db:5432/agent',
    })
  })
})

describe('providers', () => {
  test('pulls the model of ollama before it starts', () => {
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

  test('gives a persistent redis a volume, and any other redis a writable directory', () => {
    const { 'knowledge-a': kept, 'knowledge-b': lost } = componentsOf(
      'knowledge: { a: { provider: redis, persistent: true }, b: { provider: redis } }',
    )
    expect(kept).toMatchObject({ storage: { size: '10Gi', mountPath: '/data' }, writablePaths: [] })
    expect(kept?.args).toContain('--appendonly')
    expect(lost?.writablePaths).toEqual(['/data'])
    expect(lost?.storage).toBeUndefined()
  })

  test('gives postgres its password, its own user and a data subdirectory', () => {
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

  test('exposes every port', () => {
    const { 'knowledge-q': store } = componentsOf('knowledge: { q: { provider: qdrant } }')
    expect(store?.ports).toEqual([
      { name: 'http', port: 6333 },
      { name: 'grpc', port: 6334 },
    ])
  })

  test('generates a password if an override of the row requires one', () => {
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

test('gives a container its own variables only', () => {
  const { 'tool-t': tool } = componentsOf(`
models: { m: { container: { image: m:1, port: 9 } } }
tools:
  t:
    container:
      image: t:1
      environment:
        M: "\${models.m.host}:\${models.m.port}"
        S: "\${source.account}/\${source.registry}"
    inputs: { d: { name: DEPTH, datatype: number, default: 3 } }
`)
  expect(tool?.environment).toEqual({
    plain: { DEPTH: '3', M: 'example-model-m:9', S: 'acme/https://registry.example.com/acme/' },
    secret: {},
  })
})

test('gives an ingestion the addresses of the agent and the stores', () => {
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
