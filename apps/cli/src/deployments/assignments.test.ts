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
  const texts = ['2', 'true', 'null', '{"memory":"1Gi"}', '"2"', '2Gi', 'info']
  expect(texts.map((text) => parseValue(text, 'agent.replicas'))).toEqual([
    2,
    true,
    null,
    { memory: '1Gi' },
    '2',
    '2Gi',
    'info',
  ])
})

test.each([
  ['agent.resources.limits.cpu', '2', '2'],
  ['models.a.b.resources.requests.memory', '1000000000', '1000000000'],
  ['agent.environment.VERSION', '1.10', '1.10'],
  ['agent.environment.DEBUG', 'true', 'true'],
  ['agent.environment.TEXT', '"a b"', 'a b'],
  ['knowledge.docs.storage.size', '1000000000', '1000000000'],
  ['agent.environment.GONE', 'null', null],
])('%s=%s stays the text that it is', (path, text, value) => {
  expect(parseValue(text, path)).toBe(value)
})
