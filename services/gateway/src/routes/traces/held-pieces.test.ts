import { expect, test } from 'vitest'

import { pendingBytes } from '../../http/limits/pending.ts'
import { heldPieces } from './held-pieces.ts'

const MIB = 1024 * 1024
const limits = {
  bytes: { perCaller: 64 * MIB, total: 192 * MIB },
  requests: { perUser: 8, total: 256 },
}

test('yields a text in pieces of at most 64 KiB, and counts it until all are taken', () => {
  const share = pendingBytes(limits).open({ user: 'alice' })
  const text = `${'x'.repeat(MIB)}é`
  expect(Buffer.concat([...heldPieces(text, share)]).toString()).toBe(text)
  expect(Math.max(...[...heldPieces(text, share)].map((piece) => piece.length))).toBe(64 * 1024)
  share.grow(64 * MIB)
  expect([...heldPieces('', share)]).toEqual([])
})

test('refuses texts of a user who does not read others, and serves another user', () => {
  const bytes = pendingBytes(limits)
  const text = 'x'.repeat(16 * MIB)
  const start = (user: string) => {
    const pieces = heldPieces(text, bytes.open({ user }))[Symbol.iterator]()
    return { pieces, first: pieces.next() }
  }
  const unread = Array.from({ length: 4 }, () => start('mallory').pieces)
  expect(() => start('mallory')).toThrow('the responses you have not read hold more than 64 MiB')
  expect(start('alice').first.done).toBe(false)
  unread[0]?.return?.()
  expect(start('mallory').first.done).toBe(false)
})
