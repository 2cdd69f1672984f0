import { describe, expect, test } from 'vitest'

import { checkSpec, locateFields, parseSpec, specWarnings } from '../src/index.ts'
import { readCorpus } from './support/corpus.ts'

/** Returns problems as a command line prints them. */
function lines(text: string, options = {}): string[] {
  return checkSpec(text, options).map(({ position, severity, field, message }) => {
    const place = position ? `${position.line}:${position.column}` : '-'
    return `${place} ${severity} ${field}${field && ': '}${message}`
  })
}

test('names line and column of keys, values and items', () => {
  const text = `spec: astro/v1
name: example
agent:
  image: example:1
  prot: 8080
  port: high
  inputs:
    - name: FIRST
      datatype: text
tools:
  my.search:
    container:
      image: "not an image!"
      environment: { 9A: x }
`
  expect(lines(text)).toEqual([
    '5:3 warning agent.prot: unknown key: ignored; did you mean port?',
    '6:9 warning agent.port: must be a whole number from 1 to 65535',
    expect.stringMatching(/^9:17 warning agent\.inputs\[0\]\.datatype: must be one of/) as string,
    '13:14 warning tools.my.search.container.image: not a valid image reference',
    '14:22 warning tools.my.search.container.environment.9A: ' +
      'not a valid name for an environment variable',
  ])
})

test('names the key that should contain a missing one', () => {
  const text =
    'spec: astro/v1\nname: example\nmodels:\n  main:\n    container: { port: 80 }\nagent: {}\n'
  expect(lines(text)).toEqual([
    expect.stringMatching(/^5:16 warning models\.main\.container: needs exactly one of/) as string,
    expect.stringMatching(/^6:8 warning agent: needs exactly one of/) as string,
  ])
  expect(locateFields(text)('agent.port')).toMatchObject({
    key: { line: 6, column: 1 },
    isExact: false,
  })
})

test('finds a long key that the warning shortens, and what an alias refers to', () => {
  const long = 'k'.repeat(80)
  const text = `spec: astro/v1
name: example
agent: { image: example:1 }
tools:
  first: { container: &c { image: a:1, ${long}: 1 } }
  second: { container: *c }
`
  const found = lines(text).map((line) => line.replace(/k{60}…/, 'LONG'))
  expect(found).toEqual([
    '5:40 warning tools.first.container.LONG: unknown key: ignored',
    '5:40 warning tools.second.container.LONG: unknown key: ignored',
  ])
})

test('has the place of a syntax error, also with line ends of Windows', () => {
  expect(lines('name: example\r\nagent: [1\r\n')[0]).toMatch(/^\d+:\d+ error /)
  expect(lines('spec: astro/v1\r\nname: a\r\nname: b\r\n')).toEqual([
    '3:1 error duplicate key name',
  ])
  expect(lines('a: 1\n'.repeat(5000))).toEqual(['- error the file has more than 4000 lines'])
})

test('says nothing about builds if a client makes their images', () => {
  const text = `spec: astro/v1
name: example
agent: { build: { context: ., dockerfile: Dockerfile } }
tools:
  search: { container: { build: { context: ., dockerfile: Dockerfile }, port: 80 } }
`
  expect(lines(text)).toHaveLength(1)
  expect(lines(text, { allowsBuilds: true })).toEqual([])
})

describe('every warning of the corpus has a place in its file', () => {
  test.each(readCorpus('invalid'))('$name', ({ text }) => {
    const warnings = specWarnings(parseSpec(text), { agentName: 'example' })
    const problems = checkSpec(text, { agentName: 'example' })
    expect(problems).toHaveLength(warnings.length)
    const count = text.split(/\r\n?|\n/).length
    for (const { field, message, position } of problems) {
      if (field === '') continue
      expect(position?.line).toBeLessThanOrEqual(count)
      const isMissing = /is required|needs|has only/.test(message)
      expect(locateFields(text)(field).isExact || isMissing).toBe(true)
    }
  })
})
