import { ClickHouseError } from '@clickhouse/client'
import { describe, expect, test } from 'vitest'

import type { Blocks } from '../../store/engine.ts'
import { InsertQueue } from './insert-queue.ts'

/** A block is not looked into. */
const block = (rows: string) => new Uint8Array(Buffer.from(rows))

/** An insert function whose calls settle when the test settles them. */
function heldInsert() {
  const inserts: { rows: string; end: PromiseWithResolvers<void> }[] = []
  return {
    inserts,
    insert: async (blocks: Blocks): Promise<void> => {
      const end = Promise.withResolvers<void>()
      inserts.push({ rows: Buffer.concat(blocks).toString(), end })
      await end.promise
    },
  }
}

describe('InsertQueue', () => {
  test('combines waiting writes into one insert and resolves each after it', async () => {
    const { inserts, insert } = heldInsert()
    await using queue = new InsertQueue(insert)
    const answers: string[] = []
    const writes = ['a', 'b', 'c'].map(async (rows) => {
      await queue.write(block(rows))
      answers.push(rows)
    })
    expect(inserts.map(({ rows }) => rows)).toEqual(['a'])
    expect(answers).toEqual([])
    inserts[0]?.end.resolve()
    await writes[0]
    await expect.poll(() => inserts.length).toBe(2)
    expect(inserts[1]?.rows).toBe('bc')
    inserts[1]?.end.resolve()
    await Promise.all(writes)
    expect(answers).toEqual(['a', 'b', 'c'])
  })

  test('rejects the writes of a failed insert, and continues', async () => {
    const { inserts, insert } = heldInsert()
    await using queue = new InsertQueue(insert)
    const failed = queue.write(block('a'))
    inserts[0]?.end.reject(new Error('disk full'))
    await expect(failed).rejects.toThrow('disk full')
    const next = queue.write(block('b'))
    await expect.poll(() => inserts.length).toBe(2)
    inserts[1]?.end.resolve()
    await next
  })

  test('inserts each write separately when the store rejects them together', async () => {
    const { inserts, insert } = heldInsert()
    await using queue = new InsertQueue(insert)
    const outcomes = ['a', 'bad', 'c'].map((rows) =>
      queue.write(block(rows)).then(
        () => rows,
        () => 'rejected',
      ),
    )
    const rejection = () =>
      new Error('unavailable', { cause: new ClickHouseError({ message: 'no', code: '252' }) })
    const endNext = async (count: number, rows: string, error?: Error) => {
      await expect.poll(() => inserts.length).toBe(count)
      const next = inserts[count - 1]
      expect(next?.rows).toBe(rows)
      if (error === undefined) next?.end.resolve()
      else next?.end.reject(error)
    }
    await endNext(1, 'a')
    await endNext(2, 'badc', rejection())
    await endNext(3, 'bad', rejection())
    await endNext(4, 'c')
    expect(await Promise.all(outcomes)).toEqual(['a', 'rejected', 'c'])
  })
})
