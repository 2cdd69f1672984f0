import { expect, test } from 'vitest'

import { parseValue, splitAssignment } from './assignments.ts'

test('splits at the first equals sign', () => {
  expect(splitAssignment('a.b=c=d', '--set')).toEqual(['a.b', 'c=d'])
  expect(splitAssignment('a=', '--set')).toEqual(['a', ''])
})

test.each(['a', '=b', ''])('rejects %j with the form to write', (text) => {
  expect(() => splitAssignment(text, '--set')).toThrow(expect.objectContaining({ exitCode: 2 }))
})

test('values are JSON, or else texts', () => {
  expect(['2', 'true', 'null', '{"memory":"1Gi"}', '"2"', '2Gi', 'info'].map(parseValue)).toEqual([
    2,
    true,
    null,
    { memory: '1Gi' },
    '2',
    '2Gi',
    'info',
  ])
})
