import { rounds } from '@slipway/testing/rounds'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { parseSpec, specWarnings } from '../src/index.ts'
import { resolve, prepare } from './support/fixtures.ts'

function environmentOf(text: string): Record<string, string> {
  const { spec } = parseSpec(text)
  return spec.tools['t']?.container?.environment ?? {}
}

const inTool = (lines: string) => `spec: astro/v1
name: a
agent: { image: a }
tools:
  t:
    container:
      image: b
      environment:
${lines}`

test.each([
  '1.10',
  '1.0',
  '0x1F',
  '0o17',
  '0123',
  '1e3',
  '12345678901234567890',
  '-0',
  '+1',
  '.50',
  'True',
  'FALSE',
  'yes',
  '12:30:45',
  '2026-01-02',
  '1_000',
  '.inf',
])('a variable %s has the text of the file', (text) => {
  expect(environmentOf(inTool(`        V: ${text}`))).toEqual({ V: text })
})

const plain = fc.oneof(
  fc.double({ noNaN: true }).map((number) => String(number)),
  fc.stringMatching(/^[+-]?[0-9]{1,20}(\.[0-9]{0,20})?([eE][+-]?[0-9]{1,3})?$/),
  fc.stringMatching(/^0[xo][0-7]{1,20}$/),
  fc.constantFrom('true', 'True', 'TRUE', 'false', 'y', 'on', '.nan', '.Inf', '-.inf'),
)

test('a plain scalar is its own text, also behind an alias', () => {
  fc.assert(
    fc.property(plain, (text) => {
      const lines = `        A: &a ${text}\n        B: *a`
      expect(environmentOf(inTool(lines))).toEqual({ A: text, B: text })
    }),
    { numRuns: rounds(500) },
  )
})

test('an alias has the text of the file for a variable, and the number for a port', () => {
  const { document, spec } = parseSpec(`
common: &number 0x1F90
agent: { image: a, port: *number, environment: { PORT: *number } }
tools: { t: { container: { image: b, port: *number, environment: { PORT: *number } } } }`)
  expect(document['common']).toBe(8080)
  expect(spec.agent).toMatchObject({ port: 8080, environment: { PORT: '0x1F90' } })
  expect(spec.tools['t']?.container).toMatchObject({
    port: 8080,
    environment: { PORT: '0x1F90' },
  })
})

test('an alias keeps the anchor that it named at first', () => {
  const { spec } = parseSpec(`
x: &e { A: &v 1.10, B: *v }
y: &v 2.20
agent: { image: a, environment: *e }
tools: { t: { container: { image: b, environment: { C: *v } } } }`)
  expect(spec.agent.environment).toEqual({ A: '1.10', B: '1.10' })
  expect(spec.tools['t']?.container?.environment).toEqual({ C: '2.20' })
})

test('the default of an input has the text of the file', () => {
  const { spec } = parseSpec(`
agent:
  image: a
  inputs:
    guild: { name: GUILD, datatype: number, default: 1234567890123456789 }
    api: { name: API, datatype: number, default: 1.10, options: [1.10, 2] }
    flag: { name: FLAG, datatype: boolean, default: True }`)
  expect(spec.agent.inputs.map((input) => input.default)).toEqual([
    '1.10',
    true,
    '1234567890123456789',
  ])
})

describe("the agent's own environment", () => {
  const spec = parseSpec(`
spec: astro/v1
name: a
agent:
  image: a
  environment:
    OPENAI_BASE_URL: \${tools.fake.url}/v1
    KEY: Bearer \${credentials.API_KEY}
    VERSION: 1.10
tools:
  fake: { container: { image: b, port: 9000 } }`).spec

  test('has references, and secrets where it names a credential', () => {
    const { problems, filled } = prepare(spec, { userCredentials: { API_KEY: 'secret' } })
    expect(problems).toEqual([])
    const { plain: variables, secret } = resolve(filled)['agent']?.environment ?? {}
    expect(variables).toMatchObject({ VERSION: '1.10' })
    expect(variables?.['OPENAI_BASE_URL']).toMatch(/^http:\/\/.*:9000\/v1$/)
    expect(secret).toMatchObject({ KEY: 'Bearer secret' })
  })

  test('is reported where the platform sets a variable, or a reference leads nowhere', () => {
    const parsed = parseSpec(`
spec: astro/v1
name: a
agent:
  image: a
  environment: { AGENT_URL: x, OTHER: '\${tools.none.url}', 'NOT VALID': x }`)
    expect(specWarnings(parsed, { agentName: 'a' })).toEqual([
      { field: 'agent.environment.AGENT_URL', message: 'this variable is set by the platform' },
      {
        field: 'agent.environment.NOT VALID',
        message: 'not a valid name for an environment variable',
      },
      {
        field: 'agent.environment.OTHER',
        message: 'refers to a component that does not run in a container',
      },
    ])
  })
})
