import { describe, expect, test } from 'vitest'

import { closestName, hintFor } from './closest-name.ts'

const FIELDS = ['account', 'name', 'version', 'build_id', 'user_credentials']

describe('finds the name that is meant', () => {
  test.each([
    ['vesion', 'version'],
    ['Version', 'version'],
    ['user_credential', 'user_credentials'],
    ['acocunt', 'account'],
    ['nam', 'name'],
    ['nmae', 'name'],
  ])('for %s', (name, meant) => {
    expect(closestName(name, FIELDS)).toBe(meant)
  })
})

test('finds none for a name that is far from all, empty or long', () => {
  for (const name of ['visibility', 'x', '', 'n', 'version'.repeat(20)])
    expect([name, closestName(name, FIELDS)]).toEqual([name, undefined])
})

test('writes a hint only if there is such a name', () => {
  expect(hintFor('vesion', FIELDS)).toBe('; did you mean version?')
  expect(hintFor('visibility', FIELDS)).toBe('')
})
