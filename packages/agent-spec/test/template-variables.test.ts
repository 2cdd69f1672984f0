import { describe, expect, test } from 'vitest'

import { templateOf } from './support/fixtures.ts'

describe('the variables of the agent', () => {
  const environmentOf = (yaml: string) => templateOf(yaml).agent.environment

  test('have bare names for a single entry of a provider', () => {
    expect(environmentOf('knowledge: { graph: { provider: neo4j } }')).toEqual({
      NEO4J_HOST: '${knowledge.graph.host}',
      NEO4J_PORT: '${knowledge.graph.port}',
      NEO4J_URL: '${knowledge.graph.url}',
    })
  })

  test('have qualified names for several entries, and also bare ones for the first', () => {
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

  test('include the base URL and the name of a model', () => {
    expect(environmentOf('models: { m: { provider: ollama, model: "llama:${x}" } }')).toMatchObject(
      {
        OLLAMA_BASE_URL: '${models.m.url}/api',
        OLLAMA_MODEL: 'llama:$${x}',
      },
    )
  })

  test('are named by section and entry for containers', () => {
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

  test('are the defaults of inputs, or references to what must be set', () => {
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

test('gives an ingestion addresses and credentials, but not the inputs of the agent', () => {
  const { ingestion } = templateOf(`
agent: { image: a:1, inputs: { s: { name: AGENT_SECRET, datatype: string, secret: true } } }
models: { m: { provider: openai, inputs: { p: { name: PLAIN, datatype: string, default: x } } } }
knowledge: { k: { provider: redis } }
tools:
  t:
    container: { image: t:1 }
    inputs: { s: { name: TOOL_KEY, datatype: string, secret: true } }
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
