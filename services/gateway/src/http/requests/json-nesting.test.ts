import { expect, test } from 'vitest'

import { nestsDeeperThan } from './json-nesting.ts'

test.each([
  ['5', false],
  ['{"a":[1]}', false],
  ['{"a":[[1]]}', true],
  ['[[],[],{}]', false],
  ['[[[', true],
  ['["[[[","{{{"]', false],
  ['["\\"[[[",[]]', false],
  ['["\\\\",[[]]]', true],
  ['["never ends [[[', false],
])('counts the levels of %s', (json, isDeeper) => {
  expect(nestsDeeperThan(2, Buffer.from(json))).toBe(isDeeper)
})
