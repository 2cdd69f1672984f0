import { describe, expect, test } from 'vitest'

import { parseSpec } from './parse/parse-spec.ts'
import { requiredCredentials } from './required-credentials.ts'

function credentialsOf(yaml: string, interfaces: string[] = []) {
  return requiredCredentials(parseSpec(yaml).spec, { interfaces })
}

const keysOf = (yaml: string, interfaces?: string[]) =>
  credentialsOf(yaml, interfaces).map(({ key }) => key)

describe('keys of cloud providers', () => {
  test.each([
    ['one entry', 'models: {main: {provider: openai}}', ['OPENAI_API_KEY']],
    ['any case', 'models: {main: {provider: OpenAI}}', ['OPENAI_API_KEY']],
    [
      'tools',
      'tools: {code: {provider: github}, ci: {provider: gitlab}}',
      ['GITHUB_TOKEN', 'GITLAB_TOKEN'],
    ],
    [
      'two tokens',
      'integrations: {chat: {provider: slack}}',
      ['SLACK_APP_TOKEN', 'SLACK_BOT_TOKEN'],
    ],
    [
      'several entries: the first has both',
      'models: {b: {provider: openai}, a-1: {provider: openai}}',
      ['OPENAI_API_KEY', 'OPENAI_A_1_API_KEY', 'OPENAI_B_API_KEY'],
    ],
    [
      'several entries: the namesake has the bare key only',
      'models: {a: {provider: openai}, openai: {provider: openai}}',
      ['OPENAI_API_KEY', 'OPENAI_A_API_KEY'],
    ],
    ['none for a provider that runs on the platform', 'knowledge: {a: {provider: redis}}', []],
    ['none in the wrong section', 'knowledge: {a: {provider: openai}}', []],
  ])('%s', (_, yaml, keys) => {
    expect(keysOf(yaml)).toEqual(keys)
  })
})

describe('other credentials', () => {
  test('includes those of integrations, with their type as category', () => {
    const yaml = `
      integrations:
        my-crm: { type: sales, credentials: [{ suffix: key, description: d, optional: true }] }
    `
    expect(credentialsOf(yaml)).toEqual([
      {
        key: 'MY_CRM_KEY',
        provider: 'my-crm',
        category: 'sales',
        description: 'd',
        optional: true,
      },
    ])
  })

  test('includes secret inputs, with the category of their section, but no plain ones', () => {
    const input = (name: string) => `inputs: {i: {name: ${name}, datatype: string, secret: true}}`
    const yaml = `
      agent: { ${input('A')} }
      models: { m: { provider: x, ${input('M')} } }
      knowledge: { k: { provider: x, ${input('K')} } }
      tools: { t: { provider: x, ${input('T')} } }
      ingestion: { g: { ${input('G')} } }
    `
    const found = credentialsOf(yaml).map(({ key, category }) => [key, category])
    expect(found).toEqual([
      ['A', 'agent'],
      ['G', 'ingestion'],
      ['K', 'knowledge'],
      ['M', 'model'],
      ['T', 'tool'],
    ])
    expect(keysOf('agent: {inputs: {i: {name: PLAIN, datatype: string}}}')).toEqual([])
    const listed = 'inputs: [{name: LISTED, datatype: string, secret: true}]'
    expect(keysOf(`tools: {t: {container: {image: t:1}, ${listed}}}`)).toEqual(['LISTED'])
  })

  test('includes the variables of a custom provider once if it is used', () => {
    const variables = '[{name: key, datatype: string, secret: true}]'
    const provider = `providers: {my-house: {scope: [tools], variables: ${variables}}}`
    expect(keysOf(provider)).toEqual([])
    expect(
      keysOf(`${provider}\ntools: {a: {provider: my-house}, b: {provider: MY-HOUSE}}`),
    ).toEqual(['MY_HOUSE_KEY'])
    expect(keysOf(`${provider}\nmodels: {a: {provider: my-house}}`)).toEqual([])
  })

  test("prefers the spec's own definition of a provider to the platform's", () => {
    const yaml = `
      models: { m: { provider: openai } }
      providers:
        openai:
          scope: [models]
          variables: [{ name: LICENSE, datatype: string, secret: true }]
    `
    expect(keysOf(yaml)).toEqual(['OPENAI_LICENSE'])
  })

  test('includes those of the chosen interfaces, and ignores unknown ones', () => {
    const yaml = 'integrations: {chat: {provider: slack}}'
    expect(keysOf('a: b', ['web', 'fax', 'slack'])).toEqual(['SLACK_APP_TOKEN', 'SLACK_BOT_TOKEN'])
    expect(credentialsOf('a: b', ['slack'])[0]?.category).toBe('messaging')
    expect(keysOf(yaml, ['slack'])).toEqual(['SLACK_APP_TOKEN', 'SLACK_BOT_TOKEN'])
  })

  test('a shared key is optional only if both declarations are', () => {
    const yaml = `
      agent:
        inputs: { a: { name: GITHUB_TOKEN, datatype: string, secret: true, optional: true } }
      tools: { t: { provider: github } }
    `
    expect(credentialsOf(yaml)).toMatchObject([{ key: 'GITHUB_TOKEN', optional: false }])
  })
})

test('treats special names of JavaScript as ordinary names', () => {
  const yaml =
    '{"models": {"__proto__": {"provider": "openai"}, "constructor": {"provider": "cohere"}}}'
  expect(keysOf(yaml)).toEqual(['COHERE_API_KEY', 'OPENAI_API_KEY'])
})
