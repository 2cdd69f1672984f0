import { describe, expect, test } from 'vitest'

import {
  parseSpec,
  requiredCredentials,
  specWarnings,
  SpecSyntaxError,
  TemplateTooLargeError,
  type DeploymentTemplate,
  type ParsedSpec,
} from '../src/index.ts'
import { hostileTexts } from './support/hostile.ts'
import { prepare, templateOf } from './support/fixtures.ts'

function tryParse(text: string): ParsedSpec | undefined {
  try {
    return parseSpec(text)
  } catch (error) {
    if (error instanceof SpecSyntaxError && error.message.length < 400) return undefined
    throw error
  }
}

describe('ends with an error or a bounded result for 256 KiB of', () => {
  test.each(Object.entries(hostileTexts))('%s', (_, text) => {
    const parsed = tryParse(text)
    expect(parsed === undefined || parsed.document !== null).toBe(true)
    if (parsed) expectBounded(parsed)
  })
})

function expectBounded(parsed: ParsedSpec): void {
  expect(JSON.stringify(parsed.document).length).toBeLessThan(2 ** 21)
  const warnings = specWarnings(parsed, { agentName: 'x' })
  expect(warnings.length).toBeLessThanOrEqual(501)
  expect(JSON.stringify(warnings).length).toBeLessThan(2 ** 18)
  expect(requiredCredentials(parsed.spec).length).toBeLessThan(20_000)
  const template = tryTemplate(parsed)
  if (template === undefined) return
  expect(Buffer.byteLength(JSON.stringify(template))).toBeLessThan(2 ** 19 + 2 ** 12)
  expect(prepare(parsed.spec).problems).toBeInstanceOf(Array)
}

function tryTemplate({ spec }: ParsedSpec): DeploymentTemplate | undefined {
  try {
    return templateOf(spec)
  } catch (error) {
    if (error instanceof TemplateTooLargeError) return undefined
    throw error
  }
}

test('rejects a template that would grow with the square of the file, with the limit', () => {
  const names = [
    'entries and pipelines of long names',
    'stores and pipelines of long names',
    'long credentials and pipelines',
  ]
  for (const name of names) {
    const { spec } = parseSpec(hostileTexts[name] ?? '')
    expect(() => templateOf(spec)).toThrow(
      'results in a deployment template of more than 262144 bytes',
    )
  }
})

test('accepts twenty components and ten ingestions', () => {
  const entries = (count: number, entry: string) =>
    Array.from(
      { length: count },
      (_, index) => `  a-component-of-some-length-${index}: ${entry}`,
    ).join('\n')
  const stores = entries(20, '{provider: postgres}')
  const ingestions = entries(10, '{container: {image: x}, trigger: {type: manual}}')
  const text = `agent: {image: x}\nknowledge:\n${stores}\ningestion:\n${ingestions}`
  const template = templateOf(parseSpec(text).spec)
  expect(Object.keys(template.ingestion)).toHaveLength(10)
})

test.each([
  ['4000 lines', '\n'.repeat(4_000)],
  ['4000 lines', '\r\n'.repeat(4_000)],
  ['3000 keys, values and indicators', `a: [${'x, '.repeat(1_500)}]`],
  ['5000 values', `a: &a [${'x, '.repeat(500)}]\nb: [${'*a, '.repeat(20)}]`],
  ['8000 tokens', `a: x${' #\n'.repeat(3_999)} ${' \t'.repeat(3_000)}`],
])('rejects a file with more than %s, with the bound', (bound, text) => {
  expect(() => parseSpec(text)).toThrow(`the file has more than ${bound}`)
})

test('accepts fifty tools with four variables each', () => {
  const variables = 'environment: {A: a, B: b, C: c, D: d}'
  const tools = Array.from(
    { length: 50 },
    (_, index) => `  tool-${index}: {container: {image: x, port: 80, ${variables}}}`,
  )
  const { spec } = parseSpec(`agent: {image: x}\ntools:\n${tools.join('\n')}`)
  expect(Object.keys(templateOf(spec).tools)).toHaveLength(50)
})

test('rejects characters that YAML does not allow, with their position', () => {
  expect(() => parseSpec('a: 1\nb: \0')).toThrow('line 2, column 4: the character U+0000')
  expect(() => parseSpec('a: \u001b[0m')).toThrow('U+001B')
  expect(() => parseSpec('a: \ud800')).toThrow('not valid Unicode')
})

test('treats special names of JavaScript as ordinary keys', () => {
  const { document } = parseSpec(
    '__proto__: { polluted: true }\nconstructor: { prototype: { polluted: true } }',
  )
  expect(Object.keys(document)).toEqual(['__proto__', 'constructor'])
  expect(JSON.stringify(document)).toContain('"__proto__":{"polluted":true}')
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

test('keeps the text of numbers that JSON would change', () => {
  const { document } = parseSpec(
    'a: 123456789012345678901\nb: .inf\nc: .nan\nd: 1e400\ne: 0x1F\nf: -0.5\ng: 9007199254740991',
  )
  expect(document).toEqual({
    a: '123456789012345678901',
    b: '.inf',
    c: '.nan',
    d: '1e400',
    e: 31,
    f: -0.5,
    g: 9007199254740991,
  })
})

test('treats the booleans of YAML 1.1 as strings', () => {
  expect(parseSpec('a: yes\nb: off\nc: 0o17\nd: 012\ne: 2026-01-01\nf: ~').document).toEqual({
    a: 'yes',
    b: 'off',
    c: 15,
    d: 12,
    e: '2026-01-01',
    f: null,
  })
})
