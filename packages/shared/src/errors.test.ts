import { describe, expect, test } from 'vitest'

import { InvalidInput, invalidField, Violations } from './errors.ts'

test('invalidField names the field in the message and in the violation', () => {
  const cause = new Error('parser')
  const error = invalidField('spec_content', 'must be YAML', { reason: 'invalid_spec', cause })
  expect(error).toBeInstanceOf(InvalidInput)
  expect(error).toMatchObject({
    reason: 'invalid_spec',
    message: 'spec_content must be YAML',
    violations: [{ field: 'spec_content', description: 'must be YAML' }],
    cause,
  })
})

describe('Violations', () => {
  test('throws nothing when every condition holds', () => {
    const violations = new Violations()
      .require(true, 'a', 'must be good')
      .requireFilled({ b: 'x' })
      .requireWithin('c', 1, 1, 3)
      .requireWithin('c', 3, 1, 3)
    expect(() => violations.throwIfAny()).not.toThrow()
  })

  test('throws one error with all problems, described by the first', () => {
    const violations = new Violations()
      .requireFilled({ account: '', name: 'x', pod: '' })
      .requireWithin('limit', 0, 1, 500)
      .requireWithin('offset', Number.NaN, 0, 9)
      .require(false, 'role', 'must be one of owner, admin, member')
    expect(() => violations.throwIfAny()).toThrow(
      expect.objectContaining({
        name: 'InvalidInput',
        reason: 'invalid_argument',
        message: 'account is required',
        violations: [
          { field: 'account', description: 'is required' },
          { field: 'pod', description: 'is required' },
          { field: 'limit', description: 'must be from 1 to 500' },
          { field: 'offset', description: 'must be from 0 to 9' },
          { field: 'role', description: 'must be one of owner, admin, member' },
        ],
      }),
    )
  })
})
