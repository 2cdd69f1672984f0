import { expect, test } from 'vitest'
import { fileSize } from './file-size.ts'

const fileOf = (count: number) => ({ path: 'a.ts', lines: Array.from({ length: count }, () => '') })

test('accepts a file of 250 lines', () => {
  expect(fileSize(fileOf(250))).toEqual([])
})

test('reports a longer file at its last line', () => {
  expect(fileSize(fileOf(251))).toEqual(['a.ts:251: the file has more than 250 lines; split it'])
})
