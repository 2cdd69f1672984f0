import { describe, expect, test } from 'vitest'

import { parseSpec, specWarnings } from '../src/index.ts'
import { parsedOf, prepare, specOf, resolve } from './support/fixtures.ts'

const input = (name: string, rest: string) =>
  `inputs: [{ name: ${name}, datatype: string, ${rest} }]`
const agent = (...parts: string[]) => `agent: { ${['image: a:1', ...parts].join(', ')} }`
const environment = (name: string, value: string) => `environment: { ${name}: '${value}' }`
const integration = (entry: string, suffix: string) =>
  `integrations: { ${entry}: { credentials: [{ suffix: ${suffix} }] } }`
const custom = (name: string, variable: string) =>
  `${name}: { scope: [models], variables: [{ name: ${variable}, datatype: string, secret: true }] }`

const MODEL = 'models: { m: { provider: openai } }'
const REDIS = 'knowledge: { k: { provider: redis } }'
const TOOL = (part: string) => `tools: { t: { container: { image: t:1 }, ${part} } }`
const INGESTION = (part: string) =>
  `ingestion: { g: { trigger: { type: manual }, container: { image: g:1 }, ${part} } }`

/** What two sources of one variable have in common with a deploy. */
function collisionsOf(...lines: string[]): string[] {
  return prepare(specOf(lines.join('\n'))).problems.filter((problem) =>
    problem.includes('collides with'),
  )
}

describe('two sources of one variable', () => {
  test.each<[string, string[], string]>([
    [
      'a model and an integration',
      [MODEL, integration('openai', 'API_KEY')],
      'integrations.openai: collides with models.m: both set OPENAI_API_KEY',
    ],
    [
      'two integrations',
      [
        'integrations:',
        '  a: { credentials: [{ suffix: B_C }] }',
        '  a_b: { credentials: [{ suffix: C }] }',
      ],
      'integrations.a_b: collides with integrations.a: both set A_B_C',
    ],
    [
      'a provider of the file and an address',
      [`providers: { ${custom('redis', 'URL')} }`, 'models: { x: { provider: redis } }', REDIS],
      'knowledge.k: collides with providers.redis: both set REDIS_URL',
    ],
    [
      'an integration and an address',
      [REDIS, integration('redis', 'URL')],
      'knowledge.k: collides with integrations.redis: both set REDIS_URL',
    ],
    [
      'a secret input and an address',
      [agent(input('REDIS_URL', 'secret: true')), REDIS],
      'knowledge.k: collides with agent: both set REDIS_URL',
    ],
    [
      'a plain input and an address',
      [agent(input('REDIS_URL', 'default: x')), REDIS],
      'knowledge.k: collides with agent: both set REDIS_URL',
    ],
    [
      'the addresses of a container and a provider',
      [
        'knowledge: { k: { container: { image: k:1 } } }',
        `providers: { ${custom('knowledge', 'K_HOST')} }`,
        'models: { x: { provider: knowledge } }',
      ],
      'knowledge.k: collides with providers.knowledge: both set KNOWLEDGE_K_HOST',
    ],
    [
      'an input of a tool and a model',
      [MODEL, TOOL(input('OPENAI_API_KEY', 'default: x'))],
      'tools.t: collides with models.m: both set OPENAI_API_KEY',
    ],
    [
      'an input of a store and its address',
      [`knowledge: { k: { provider: redis, ${input('REDIS_HOST', 'default: x')} } }`],
      'knowledge.k: collides with knowledge.k: both set REDIS_HOST',
    ],
    [
      'a secret input and a plain input',
      [agent(input('A', 'default: x')), TOOL(input('A', 'secret: true'))],
      'tools.t: collides with agent: both set A',
    ],
    [
      'a secret input of an ingestion and a plain input of the agent',
      [agent(input('A', 'default: x')), INGESTION(input('A', 'secret: true'))],
      'ingestion.g: collides with agent: both set A',
    ],
    [
      'a secret input of an ingestion, a model and an integration',
      [MODEL, INGESTION(input('OPENAI_API_KEY', 'secret: true')), integration('openai', 'API_KEY')],
      'integrations.openai: collides with models.m: both set OPENAI_API_KEY',
    ],
    [
      'an input and the environment',
      [agent(input('A', 'default: x'), environment('A', 'y'))],
      'agent.environment: collides with agent: both set A',
    ],
    [
      'the environment and a model',
      [agent(environment('OPENAI_API_KEY', 'x')), MODEL],
      'models.m: collides with agent.environment: both set OPENAI_API_KEY',
    ],
    [
      'the environment and an input of a tool',
      [agent(environment('A', 'x')), TOOL(input('A', 'default: y'))],
      'tools.t: collides with agent.environment: both set A',
    ],
  ])('%s', (_, lines, problem) => {
    expect(collisionsOf(...lines)).toContain(problem)
  })
})

describe('two sources of one credential, which release 0.1.0 accepts', () => {
  test.each<[string, string[], string]>([
    [
      'a secret input, a model and an integration',
      [agent(input('OPENAI_API_KEY', 'secret: true')), MODEL, integration('openai', 'API_KEY')],
      'integrations.openai: shares OPENAI_API_KEY with models.m',
    ],
    [
      'two providers of the file',
      [
        `providers: { ${custom('a', 'B_C')}, ${custom('a_b', 'C')} }`,
        'models: { x: { provider: a }, y: { provider: a_b } }',
      ],
      'providers.a_b: shares A_B_C with providers.a',
    ],
    [
      'a provider of the file and an integration',
      [
        `providers: { ${custom('a', 'B')} }`,
        'models: { x: { provider: a } }',
        integration('a', 'B'),
      ],
      'providers.a: shares A_B with integrations.a',
    ],
  ])('%s', (_, lines, problem) => {
    const text = lines.join('\n')
    expect(collisionsOf(...lines)).toEqual([])
    const warnings = specWarnings(parsedOf(text), { agentName: 'example' })
    const messages = warnings.map(({ field, message }) => `${field}: ${message}`)
    expect(messages).toContain(
      `${problem}, so both have the same value; rename one of them if they need two`,
    )
  })
})

describe('one meaning in several places', () => {
  const KEY = '${credentials.OPENAI_API_KEY}'

  test.each<[string, string[]]>([
    ['a secret input and a model', [agent(input('OPENAI_API_KEY', 'secret: true')), MODEL]],
    [
      'the environment that names the key of a model',
      [agent(environment('OPENAI_API_KEY', KEY)), MODEL],
    ],
    ['the environment and an address', [agent(environment('REDIS_URL', 'redis://other')), REDIS]],
    [
      'a plain input of an ingestion and a model',
      [MODEL, INGESTION(input('OPENAI_API_KEY', 'default: x'))],
    ],
  ])('%s', (_, lines) => {
    expect(collisionsOf(...lines)).toEqual([])
  })

  test("the agent's environment replaces an address", () => {
    const spec = specOf(`${agent(environment('REDIS_URL', '${knowledge.k.url}/1'))}\n${REDIS}`)
    const { filled, problems } = prepare(spec)
    expect(problems).toEqual([])
    expect(resolve(filled)['agent']?.environment.plain).toMatchObject({
      REDIS_HOST: 'example-knowledge-k',
      REDIS_URL: 'redis://example-knowledge-k:6379/1',
    })
  })
})

describe('variables that the platform sets', () => {
  test.each([
    ['agent', agent(input('AGENT_URL', 'default: x'))],
    ['agent', `${agent()}\n${integration('agent', 'URL')}`],
    ['agent', `${agent()}\n${TOOL(input('AGENT_URL', 'default: x'))}`],
    ['ingestion.g', `${agent()}\n${INGESTION(input('AGENT_URL', 'default: x'))}`],
  ])('are refused in %s', (part, yaml) => {
    expect(prepare(specOf(yaml)).problems).toContain(
      `${part}.environment.AGENT_URL: this variable is set by the platform`,
    )
  })
})

test('warns of a value that an input replaces, and accepts it', () => {
  const inputs = input('A', 'default: x')
  const container = "container: { image: c:1, environment: { A: 'y', B: 'z' } }"
  const text = `spec: astro/v1
name: example
agent: { image: a:1 }
tools: { t: { ${container}, ${inputs} } }
ingestion: { g: { trigger: { type: manual }, ${container}, ${inputs} } }`
  const parsed = parseSpec(text)
  expect(specWarnings(parsed, { agentName: 'example' })).toEqual(
    ['ingestion.g', 'tools.t'].map((path) => ({
      field: `${path}.container.environment.A`,
      message: 'the input A replaces this value: rename one of them',
    })),
  )
  expect(prepare(parsed.spec).problems).toEqual([])
})
