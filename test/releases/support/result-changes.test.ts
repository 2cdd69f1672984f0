import { expect, test } from 'vitest'

import { resultChanges, type Results } from './result-changes.ts'

const build = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string' }, from: { type: 'string', enum: ['project'] } },
} as const
const before: Results = { $defs: { build, whoami: { 'x-body-of': ['GET /me'] } } }

test('accepts commands, members and values that are added', () => {
  const from = { type: 'string', enum: ['project', 'dockerfile'] }
  const properties = { ...build.properties, from, size: { type: 'integer' } }
  const after = { $defs: { ...before.$defs, build: { ...build, properties }, usage: {} } }
  expect(resultChanges(before, after)).toEqual([])
})

test('finds what a program would miss', () => {
  const { id: _, ...properties } = build.properties
  const after = {
    $defs: { build: { ...build, properties, 'x-lines': true }, whoami: { 'x-body-of': [] } },
  }
  expect(resultChanges(before, after)).toEqual([
    'build: x-lines is true',
    'build: id: removed',
    'whoami: no longer the body of GET /me',
  ])
  expect(resultChanges(before, { $defs: {} })).toEqual(['build: removed', 'whoami: removed'])
})
