import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { withFileLock } from './file-lock.ts'

const directory = mkdtempSync(join(tmpdir(), 'slipway-lock-'))
afterAll(() => rmSync(directory, { recursive: true }))

test('one holder at a time, whatever becomes of the one before', async () => {
  const file = join(directory, 'lock')
  const seen: string[] = []
  const first = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  const failing = withFileLock(
    file,
    () => undefined,
    async () => {
      seen.push('first in')
      entered.resolve()
      await first.promise
      seen.push('first out')
      throw new Error('failed inside')
    },
  )
  await entered.promise
  const waits = Promise.withResolvers<void>()
  const second = withFileLock(file, waits.resolve, async () => {
    seen.push('second in')
    return 'done'
  })
  await waits.promise
  first.resolve()
  await expect(failing).rejects.toThrow('failed inside')
  expect(await second).toBe('done')
  expect(seen).toEqual(['first in', 'first out', 'second in'])
})

test('a lock that cannot be had is an error', async () => {
  await expect(
    withFileLock(
      join(directory, 'no/lock'),
      () => undefined,
      async () => undefined,
    ),
  ).rejects.toThrow('flock')
})
