import { randomBytes } from 'node:crypto'

import { expect, test } from 'vitest'

import { SessionKeys } from './session-keys.ts'

const [first, second] = [randomBytes(32), randomBytes(32)]
const keys = new SessionKeys([first])

test('reads its own cookies only', () => {
  const { text, hash, secret } = keys.newCookie()
  expect(keys.readCookie(text)).toEqual({ text, hash, secret })
  expect(text).toMatch(/^[\w-]{43}\.[\w-]{22}$/)
  const changed = `${text[0] === 'A' ? 'B' : 'A'}${text.slice(1)}`
  for (const other of ['', 'x', changed, `${text}x`, ` ${text}`, text.split('.')[0] ?? ''])
    expect(keys.readCookie(other)).toBeUndefined()
  expect(new SessionKeys([second]).readCookie(text)).toBeUndefined()
})

test('opens what it has sealed, for the same purpose and salt only', () => {
  const salt = randomBytes(32)
  const sealed = keys.seal('secret', 'session', salt)
  expect(keys.open(sealed, 'session', salt)).toBe('secret')
  expect(keys.open(sealed, 'sign-in', salt)).toBeUndefined()
  expect(keys.open(sealed, 'session')).toBeUndefined()
  expect(keys.open(sealed, 'session', randomBytes(32))).toBeUndefined()
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(keys.open(changed, 'session', salt)).toBeUndefined()
    expect(keys.open(sealed.subarray(0, at), 'session', salt)).toBeUndefined()
  }
})

test('the former key reads, and only the current one writes', () => {
  const both = new SessionKeys([second, first])
  const { text } = keys.newCookie()
  expect(both.readCookie(text)?.text).toBe(text)
  expect(both.open(keys.seal('old', 'session'), 'session')).toBe('old')
  expect(keys.open(both.seal('new', 'session'), 'session')).toBeUndefined()
})

test('the same text is sealed differently each time', () => {
  expect(keys.seal('x', 'session')).not.toEqual(keys.seal('x', 'session'))
})
