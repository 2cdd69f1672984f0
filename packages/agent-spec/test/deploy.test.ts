import { describe, expect, test } from 'vitest'

import type { PreviousValues } from '../src/index.ts'
import { prepare, resolve, settings, specOf } from './support/fixtures.ts'

const nothing: PreviousValues = {
  credentialKeys: [],
  extraCredentialKeys: [],
  interfaces: [],
  schedules: {},
  overrides: {},
}

describe('credentials', () => {
  const spec = specOf(`
agent:
  image: a:1
  inputs:
    greeting: { name: GREETING, datatype: string, default: Hello }
    region: { name: REGION, datatype: string }
    note: { name: NOTE, datatype: string, secret: true, optional: true }
models: { main: { provider: openai }, spare: { provider: openai } }
tools: { t: { container: { image: t:1, environment: { AUTH: 'Bearer \${credentials.SPECIAL}' } } } }
`)
  const enough = { OPENAI_API_KEY: 'k1', OPENAI_SPARE_API_KEY: 'k2', REGION: 'eu', SPECIAL: 's' }

  test('reports each missing one by its key', () => {
    expect(prepare(spec).problems).toEqual([
      'tools.t.environment.AUTH: ${credentials.SPECIAL} refers to an unknown credential',
      'user_credentials.OPENAI_API_KEY: a required credential is missing',
      'user_credentials.OPENAI_MAIN_API_KEY: a required credential is missing',
      'user_credentials.OPENAI_SPARE_API_KEY: a required credential is missing',
      'user_credentials.REGION: a required value is missing',
    ])
  })

  test('passes them as secrets to the components that need them', () => {
    const { filled, problems } = prepare(spec, {
      userCredentials: { ...enough, GREETING: 'Hi', EXTRA: 'x' },
    })
    expect(problems).toEqual([])
    const { agent, 'tool-t': tool } = resolve(filled)
    expect(agent?.environment.secret).toEqual({
      EXTRA: 'x',
      GREETING: 'Hi',
      OPENAI_API_KEY: 'k1',
      OPENAI_MAIN_API_KEY: 'k1',
      OPENAI_SPARE_API_KEY: 'k2',
      REGION: 'eu',
      SPECIAL: 's',
    })
    expect(tool?.environment).toEqual({ plain: {}, secret: { AUTH: 'Bearer s' } })
    expect(JSON.stringify(filled.template)).not.toMatch(/k1|k2|Bearer s/)
  })

  test('treats an empty value as a missing one', () => {
    const given = {
      ...enough,
      OPENAI_SPARE_API_KEY: '',
      REGION: '',
      NOTE: '',
      GREETING: '',
      EXTRA: '',
    }
    const { filled, problems } = prepare(spec, { userCredentials: given })
    expect(problems).toEqual([
      'user_credentials.OPENAI_SPARE_API_KEY: a required credential is missing',
      'user_credentials.REGION: a required value is missing',
    ])
    expect(filled.values.credentialKeys).toEqual(['OPENAI_API_KEY', 'SPECIAL'])
    expect(filled.template.agent.environment['GREETING']).toBe('Hello')
  })

  test('keeps those of the live deployment that the new build still declares', () => {
    const first = prepare(spec, { userCredentials: { ...enough, NOTE: 'n', EXTRA: 'x' } }).filled
    const next = specOf('models: { main: { provider: openai } }')
    const { filled, problems } = prepare(next, {
      previous: first.values,
      userCredentials: { EXTRA2: 'y' },
    })
    expect(problems).toEqual([])
    expect(filled.keptCredentialKeys).toEqual(['EXTRA', 'OPENAI_API_KEY', 'SPECIAL'])
    expect(filled.givenCredentials).toEqual({ EXTRA2: 'y' })
    expect(filled.values.extraCredentialKeys).toEqual(['EXTRA', 'EXTRA2', 'SPECIAL'])
  })

  test.each([
    ['bad-name', 'x', 'user_credentials.bad-name: not a valid name for an environment variable'],
    ['NUL', 'a\0b', 'user_credentials.NUL: must not contain NUL'],
    ['AGENT_URL', 'x', 'agent.environment.AGENT_URL: this variable is set by the platform'],
    [
      'OTEL_EXPORTER_OTLP_HEADERS',
      'x',
      'agent.environment.OTEL_EXPORTER_OTLP_HEADERS: this variable is set by the platform',
    ],
  ])('rejects %s', (key, value, problem) => {
    expect(prepare(specOf(''), { userCredentials: { [key]: value } }).problems).toEqual([problem])
  })
})

describe('interfaces', () => {
  test('reports unknown ones, and those that the platform does not serve', () => {
    expect(prepare(specOf(''), { interfaces: ['slack', 'fax'] }).problems).toEqual([
      'interfaces.fax: unknown interface adapter',
      'interfaces.slack: this platform does not serve this adapter',
      'user_credentials.SLACK_APP_TOKEN: a required credential is missing',
      'user_credentials.SLACK_BOT_TOKEN: a required credential is missing',
    ])
    const { messaging: _, ...bare } = settings
    expect(prepare(specOf(''), { interfaces: ['web'] }, bare).problems).toEqual([
      'interfaces.web: this platform does not serve this adapter',
      'interfaces: no messaging image is configured on this platform',
    ])
  })

  test('run in a container with their credentials, whose address the agent gets', () => {
    const platform = { ...settings, messaging: { image: 'msg:1', adapters: ['slack', 'web'] } }
    const userCredentials = { SLACK_BOT_TOKEN: 'b', SLACK_APP_TOKEN: 'a' }
    const { filled, problems } = prepare(
      specOf(''),
      { interfaces: ['web', 'slack'], userCredentials },
      platform,
    )
    expect(problems).toEqual([])
    const { agent, messaging } = resolve(filled, userCredentials, platform)
    expect(agent?.environment.plain['GRPC_SERVER_ADDR']).toBe('example-messaging:9090')
    expect(agent?.environment.secret).toEqual({})
    expect(messaging?.environment).toEqual({
      plain: {
        AGENT_URL: 'http://example-agent:8080',
        GRPC_LISTEN_ADDR: ':9090',
        SLACK_ENABLED: 'true',
        WEB_ENABLED: 'true',
        WEB_LISTEN_ADDR: ':8080',
      },
      secret: { SLACK_APP_TOKEN: 'a', SLACK_BOT_TOKEN: 'b' },
    })
    expect(messaging?.expose).toEqual({ port: 8080 })
  })

  test('keeps them if the request has none, else replaces them', () => {
    const previous = { ...nothing, interfaces: ['web'] }
    expect(prepare(specOf(''), { previous }).filled.values.interfaces).toEqual(['web'])
    expect(prepare(specOf(''), { previous, interfaces: [] }).filled.values.interfaces).toEqual([])
  })
})

describe('problems of the spec', () => {
  test.each([
    [
      'tools: { t: { container: { build: { context: ., dockerfile: D } } } }',
      [expect.stringMatching(/^tools\.t\.image: has only `build`: build the image, push it/)],
    ],
    [
      'tools: { t: { container: { image: "a b" } } }',
      ['tools.t.image: not a valid image reference'],
    ],
    [
      'tools: { t: { container: { image: t:1, port: 0 } } }',
      ['tools.t.port: must be a whole number from 1 to 65535'],
    ],
    [
      'tools: { t: { container: { image: t:1, healthcheck: { path: /, interval: soon } } } }',
      ['tools.t.healthcheck.interval: must be a duration like 10s or 1m30s, at most 24h'],
    ],
    [
      'models: { m: { container: { image: m:1, gpu: { runtime: metal } } } }',
      ['models.m.gpu.runtime: must be cuda or rocm'],
    ],
    [
      'ingestion: { i: { container: { image: i:1 }, trigger: { type: webhook } } }',
      ['ingestion.i.port: a webhook needs a port'],
    ],
    [
      'ingestion: { i: { trigger: { type: cron } } }',
      [
        'ingestion.i.image: an image is required',
        'ingestion.i.trigger.type: must be one of schedule, startup, manual, webhook',
      ],
    ],
    [
      'knowledge: { a-b: { provider: redis }, a_b: { provider: redis } }',
      [
        'knowledge.a_b: collides with knowledge.a-b: both become example-knowledge-a-b',
        'knowledge.a_b: collides with knowledge.a-b: both set REDIS_A_B_HOST',
        'knowledge.a_b: collides with knowledge.a-b: both set REDIS_A_B_PORT',
        'knowledge.a_b: collides with knowledge.a-b: both set REDIS_A_B_URL',
      ],
    ],
    [
      'tools: { t: { container: { image: t:1, environment: ' +
        '{ A: "${HOME}", B: "${tools.u.url}", C: "${tools.t.password}" } } } }',
      [
        'tools.t.environment.A: ${HOME} is not a reference (write $${ for a literal ${)',
        'tools.t.environment.B: ' +
          '${tools.u.url} refers to a component that does not run in a container',
        'tools.t.environment.C: ${tools.t.password} refers to a store without a password',
      ],
    ],
    [
      'models: { m: { provider: opnai } }',
      [
        'models.m.provider: unknown provider opnai: known providers are ollama, anthropic, ' +
          'openai, google, gemini, cohere',
      ],
    ],
    [
      'agent: { image: a:1, inputs: { i: { name: not-valid, datatype: string, default: x } } }',
      ['agent.environment.not-valid: not a valid name for an environment variable'],
    ],
  ])('%s', (yaml, problems) => {
    expect(prepare(specOf(yaml)).problems).toEqual(problems)
  })
})
