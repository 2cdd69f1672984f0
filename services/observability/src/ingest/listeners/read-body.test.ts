import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'

import { RateLimited } from '@slipway/shared/errors'
import { describe, expect, test } from 'vitest'

import { createIngestMemory, Reservation } from '../pipeline/ingest-memory.ts'
import { decompress, readBody } from './read-body.ts'

const MIB = 1024 * 1024
const reserve = (totalBytes = 4 * MIB) =>
  new Reservation(createIngestMemory(totalBytes).open({ user: 'a' }))
const NO_SHARE = { shrinkBy: () => {}, shrinkTo: () => {}, [Symbol.dispose]: () => {} }
const error = (promise: Promise<unknown>) => promise.catch((thrown: unknown) => thrown)

describe('a body', () => {
  test('is read whole, and its memory reserved chunk by chunk', async () => {
    const reserved: number[] = []
    const body = await readBody(
      Readable.from([Buffer.from('ab'), Buffer.from('c')]),
      3,
      new Reservation({ ...NO_SHARE, grow: (bytes) => reserved.push(bytes) }),
    )
    expect([body.toString(), reserved]).toEqual(['abc', [2, 1]])
  })

  test('is rejected when it is too large or memory is short, and stays open', async () => {
    const large = Readable.from(Array.from({ length: 10 }, () => Buffer.alloc(MIB)))
    expect(await error(readBody(large, 1.5 * MIB, reserve()))).toMatchObject({
      status: 413,
    })
    expect(large.destroyed).toBe(false)
    const other = Readable.from(Array.from({ length: 10 }, () => Buffer.alloc(MIB)))
    expect(await error(readBody(other, 10 * MIB, reserve()))).toBeInstanceOf(RateLimited)
    expect(other.destroyed).toBe(false)
  })
})

describe('a gzipped body', () => {
  test.each(['gzip', 'GZIP', 'x-gzip'])('is decompressed, encoding %s', async (encoding) => {
    const text = 'hello'.repeat(100_000)
    const body = await decompress(gzipSync(text), encoding, MIB, reserve())
    expect(body.toString()).toBe(text)
  })

  test('is decompressed no further than memory allows', async () => {
    let decompressed = 0
    const grow = (bytes: number) => {
      if (decompressed + bytes > MIB) throw new RateLimited('busy', 'no memory left')
      decompressed += bytes
    }
    const reservation = new Reservation({ ...NO_SHARE, grow })
    const bomb = gzipSync(Buffer.alloc(32 * MIB))
    expect(await error(decompress(bomb, 'gzip', 64 * MIB, reservation))).toBeInstanceOf(RateLimited)
    expect(decompressed).toBeLessThanOrEqual(MIB)
  })

  test.each([
    ['is too large', gzipSync(Buffer.alloc(2 * MIB)), 413],
    ['is not gzip', Buffer.from('x'), 400],
    ['is truncated', gzipSync('hello').subarray(0, 12), 400],
  ])('is rejected when it %s', async (_, body, status) => {
    const reservation = reserve(100 * MIB)
    expect(await error(decompress(body, 'gzip', MIB - 1, reservation))).toMatchObject({ status })
  })
})
