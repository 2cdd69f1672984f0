import { compare, valid } from 'semver'
import { describe, expect, test } from 'vitest'

import { parseVersion } from './version.ts'

const ascending = [
  '0.0.0-0',
  '0.0.0',
  '0.9.0',
  '0.10.0',
  '1.0.0--',
  '1.0.0-0',
  '1.0.0-1',
  '1.0.0-1.0',
  '1.0.0-9',
  '1.0.0-10',
  '1.0.0-10.a',
  '1.0.0-A',
  '1.0.0-a',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.1.1',
  '1.0.0-alpha.beta',
  '1.0.0-alpha-',
  '1.0.0-alpha1',
  '1.0.0-beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '1.0.1-x',
  '1.2.0',
  '1.10.0',
  '2.0.0',
  '10.0.0',
  '99999999999999999999.0.0',
  '100000000000000000000.0.0',
]
const small = ascending.filter((text) => valid(text) !== null)

function key(text: string): Buffer {
  const version = parseVersion(text)
  if (version === undefined) throw new Error(`${text} is not a version`)
  return version.key
}

test('keys sort by SemVer precedence', () => {
  const sign = (left: string, right: string) => Math.sign(Buffer.compare(key(left), key(right)))
  for (const left of small)
    for (const right of small)
      expect([left, right, sign(left, right)]).toEqual([left, right, compare(left, right)])
})

test('numbers of any size are compared as numbers', () => {
  expect(Buffer.compare(key('99999999999999999999.0.0'), key('100000000000000000000.0.0'))).toBe(-1)
  expect(
    Buffer.compare(key('1.0.0-99999999999999999999'), key('1.0.0-100000000000000000000')),
  ).toBe(-1)
})

test('build metadata is part of the text, not of the key', () => {
  expect(key('1.2.3+linux.7')).toEqual(key('1.2.3'))
  expect(key('1.2.3-rc.1+linux')).toEqual(key('1.2.3-rc.1'))
  expect(parseVersion('1.2.3+linux.7')).toMatchObject({ text: '1.2.3+linux.7', isStable: true })
})

test('a pre-release is not stable', () => {
  expect(parseVersion('1.0.0-rc.1')?.isStable).toBe(false)
  expect(parseVersion('1.0.0')?.isStable).toBe(true)
})

describe('not a version:', () => {
  test.each([
    '',
    'v1.0.0',
    '1',
    '1.0',
    '1.0.0.0',
    '01.0.0',
    '1.01.0',
    '1.0.0-01',
    '1.0.0-',
    '1.0.0-a..b',
    '1.0.0+',
    '1.0.0+a+b',
    ' 1.0.0',
    '1.0.0\n',
    '1.0.0-ä',
    '-1.0.0',
    '1.0.0-a_b',
    `1.0.${'0'.repeat(2)}`,
    `1.0.0-${'a'.repeat(123)}`,
  ])('%j', (text) => {
    expect(parseVersion(text)).toBeUndefined()
  })
})

test('the longest version is accepted', () => {
  expect(parseVersion(`1.0.0-${'a'.repeat(122)}`)).toBeDefined()
  expect(parseVersion(`${'9'.repeat(124)}.0.0`)).toBeDefined()
})
