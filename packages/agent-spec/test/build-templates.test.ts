import { expect, test } from 'vitest'

import { BuildTemplates, parseSpec } from '../src/index.ts'
import { settings, source } from './support/fixtures.ts'

const SPEC = 'spec: astro/v1\nname: example\nagent: {image: x}\n'

/** Makes templates and counts how often a spec is read. */
function counted(maxBytes?: number) {
  const templates = new BuildTemplates(settings, maxBytes)
  let reads = 0
  const readText = (text: string) => {
    reads += 1
    return parseSpec(text).spec
  }
  return {
    of: (specText: string, more: object = {}) =>
      templates.of({ specText, readText, source, ...more }).template,
    reads: () => reads,
  }
}

test('makes the template of a build once', () => {
  const { of, reads } = counted()
  expect(of(SPEC)).toBe(of(SPEC))
  expect(reads()).toBe(1)
})

test('makes another template for another text, source or namespace', () => {
  const { of } = counted()
  expect(of(SPEC).agent.image).toBe('x')
  expect(of(SPEC.replace('image: x', 'image: y')).agent.image).toBe('y')
  expect(of(SPEC, { source: { ...source, build: 'b2' } }).source.build).toBe('b2')
  expect(of(SPEC, { namespace: 'n1' }).target.namespace).toBe('n1')
  expect(of(SPEC).target.namespace).toBeUndefined()
})

test('keeps only the templates that were used last', () => {
  const { of, reads } = counted(4_000)
  const specs = [1, 2, 3].map((number) => `${SPEC}# ${number}\n`)
  const [first = '', second = '', third = ''] = specs
  for (const spec of [first, second, first, third]) of(spec)
  expect(reads()).toBe(3)
  of(first)
  expect(reads()).toBe(3)
  of(second)
  expect(reads()).toBe(4)
})

test('keeps no template of a text that is refused', () => {
  const { of, reads } = counted()
  for (let round = 0; round < 2; round += 1) expect(() => of('- a list')).toThrow('YAML mapping')
  expect(reads()).toBe(2)
})
