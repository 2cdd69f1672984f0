import { readFileSync } from 'node:fs'

import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'

import { parseSpec, readSpec, specWarnings, SpecSyntaxError } from '../src/index.ts'
import { agentSpecSchema } from '../src/shape/json-schema.ts'
import { readCorpus } from './support/corpus.ts'

const validate = new Ajv2020({ strict: true, strictTypes: false }).compile(agentSpecSchema)

function warningsOf(text: string): string[] {
  return specWarnings(parseSpec(text), { agentName: 'example' }).map(
    ({ field, message }) => `${field}: ${message}`,
  )
}

describe('accepts without warnings', () => {
  test.each(readCorpus('valid'))('$name', ({ text }) => {
    expect(warningsOf(text)).toEqual([])
    validate(parseSpec(text).document)
    expect(validate.errors).toBeNull()
  })
})

describe('accepts with warnings', () => {
  test.each(readCorpus('invalid'))('$name', ({ text, warnings, schemaAccepts }) => {
    expect(warningsOf(text)).toEqual(warnings)
    expect(validate(parseSpec(text).document)).toBe(schemaAccepts)
  })
})

describe('rejects with a reason', () => {
  test.each(readCorpus('refused'))('$name', ({ text, error }) => {
    expect(error).toBeTruthy()
    expect(() => parseSpec(text)).toThrow(SpecSyntaxError)
    expect(() => parseSpec(text)).toThrow(error ?? '')
  })
})

test('accepts every example of the README without warnings', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const examples = [...readme.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => text)
  expect(examples.length).toBe(3)
  for (const text of examples) expect(warningsOf(text)).toEqual([])
})

test('reads a document that was stored as JSON in the same way', () => {
  for (const { text } of [...readCorpus('valid'), ...readCorpus('invalid')]) {
    const { document, spec } = parseSpec(text)
    expect(readSpec(JSON.parse(JSON.stringify(document)))).toEqual(spec)
  }
})

test('has an up-to-date published schema (pnpm run schema writes it)', () => {
  const published = readFileSync(new URL('../schema/astroai.schema.json', import.meta.url), 'utf8')
  expect(JSON.parse(published)).toEqual(agentSpecSchema)
})
