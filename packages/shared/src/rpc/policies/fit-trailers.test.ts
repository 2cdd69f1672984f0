import { describe, expect, test } from 'vitest'

import { fitTrailers } from './fit-trailers.ts'

const violation = (index: number) => ({
  field: `overrides.path-${index}`,
  description: 'not an editable path of this agent',
})
const violationsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => violation(index))

describe('fitTrailers', () => {
  test('keeps an error that fits', () => {
    const error = {
      message: 'the deployment is not valid',
      metadata: { agent: 'bot' },
      violations: violationsOf(40),
    }
    expect(fitTrailers(error)).toEqual(error)
  })

  test('lists the first violations, and says how many are missing', () => {
    const error = { message: 'not valid', metadata: {}, violations: violationsOf(5000) }
    const { message, metadata, violations } = fitTrailers(error)
    expect(violations.length).toBeGreaterThan(50)
    expect(violations).toEqual(error.violations.slice(0, violations.length))
    const omitted = 5000 - violations.length
    expect(metadata).toEqual({ omitted_violations: String(omitted) })
    expect(message).toBe(`not valid (${omitted} more problems are not listed)`)
    expect(JSON.stringify(violations).length).toBeLessThan(8_000)
  })

  test('truncates the strings of a violation', () => {
    const long = 'x'.repeat(100_000)
    const violations = [{ field: long, description: long }, violation(1)]
    const cut = `${'x'.repeat(497)}…`
    expect(fitTrailers({ message: 'm', metadata: {}, violations })).toEqual({
      message: 'm',
      metadata: {},
      violations: [{ field: cut, description: cut }, violation(1)],
    })
  })

  test('truncates metadata with many long values', () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`key-${index}`, 'x'.repeat(10_000)]),
    )
    const fitted = fitTrailers({ message: 'm', metadata, violations: [] })
    expect(Object.keys(fitted.metadata)).toEqual(Object.keys(metadata))
    expect(new Set(Object.values(fitted.metadata))).toEqual(new Set([`${'x'.repeat(27)}…`]))
  })

  test.each([
    ['ASCII', 'x'.repeat(1_600), `${'x'.repeat(1_497)}…`],
    ['characters of several bytes', 'é'.repeat(1_600), `${'é'.repeat(748)}…`],
    ['the longest text that fits', 'x'.repeat(1_500), 'x'.repeat(1_500)],
  ])('truncates long strings: %s', (_, text, shortened) => {
    const error = { message: text, metadata: { agent: text }, violations: [] }
    expect(fitTrailers(error)).toEqual({
      message: shortened,
      metadata: { agent: shortened },
      violations: [],
    })
  })
})
