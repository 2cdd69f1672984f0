import { expect, test } from 'vitest'

import { hashMachineToken, isMachineToken, newMachineToken } from './token-format.ts'

test('makes tokens that a scanner recognizes', () => {
  const tokens = Array.from({ length: 100 }, newMachineToken)
  for (const token of tokens) {
    expect(token).toMatch(/^slipway_[0-9A-Za-z]{49}$/)
    expect(isMachineToken(token)).toBe(true)
  }
  expect(new Set(tokens).size).toBe(100)
})

test('has the same form and checksum in every release', () => {
  expect(isMachineToken(`slipway_${'0'.repeat(42)}A2kUp85`)).toBe(true)
  expect(hashMachineToken('slipway_x').toString('hex')).toBe(
    'a260e1a6cd08dc8e684db0458c6470b390a152b1ee70b39ca2c957ae2c864ce9',
  )
})

test('finds every error of one character', () => {
  const token = newMachineToken()
  for (let at = 0; at < token.length; at += 1) {
    const other = token[at] === 'a' ? 'b' : 'a'
    expect(isMachineToken(`${token.slice(0, at)}${other}${token.slice(at + 1)}`)).toBe(false)
  }
})

test.each(['', 'slipway_', 'x', `slipway_${'a'.repeat(49)}`, `slipway_${'a'.repeat(100_000)}`])(
  'refuses other texts',
  (text) => {
    expect(isMachineToken(text)).toBe(false)
  },
)
