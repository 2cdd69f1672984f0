import { expect, test } from 'vitest'

import { freeBuffer } from './free-buffer.ts'

test('frees a buffer with its own memory', () => {
  const large = Buffer.concat([Buffer.alloc(100_000, 1), Buffer.alloc(100_000, 2)])
  freeBuffer(large)
  expect([large.length, large.buffer.byteLength]).toEqual([0, 0])
})

test('leaves a buffer that shares its memory with others', () => {
  const [small, other] = [Buffer.from('small'), Buffer.from('other')]
  const part = Buffer.alloc(100_000, 1).subarray(10)
  freeBuffer(small)
  freeBuffer(part)
  expect([String(small), String(other), part.length]).toEqual(['small', 'other', 99_990])
})
