import { describe, expect, test } from 'vitest'

import { ValidationFailed } from './validation-failed.ts'

const problems = (count: number) => Array.from({ length: count }, (_, index) => `f${index}: is bad`)

describe('ValidationFailed', () => {
  test('has each problem as a violation', () => {
    const { message, violations, hasMore } = new ValidationFailed(['a.b: is bad', 'c: x: y'])
    expect({ message, hasMore, violations }).toEqual({
      message: 'the deployment is not valid',
      hasMore: false,
      violations: [
        { field: 'a.b', description: 'is bad' },
        { field: 'c', description: 'x: y' },
      ],
    })
  })

  test('says so if there are more than 100', () => {
    expect(new ValidationFailed(problems(100)).hasMore).toBe(false)
    const { message, violations, hasMore } = new ValidationFailed(problems(101))
    expect(hasMore).toBe(true)
    expect(message).toBe('the deployment is not valid: it has more than 100 problems')
    expect(violations).toHaveLength(100)
  })

  test('truncates long names', () => {
    const long = '😀'.repeat(100_000)
    const [violation] = new ValidationFailed([`x${long}: ${long}`]).violations
    expect(violation?.field).toBe(`x${'😀'.repeat(249)}\uFFFD…`)
    expect(violation?.description).toBe(`${'😀'.repeat(500)}…`)
  })
})
