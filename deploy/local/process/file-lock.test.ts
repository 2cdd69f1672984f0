import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { withFileLock } from './file-lock.ts'

const directory = mkdtempSync(join(tmpdir(), 'slipway-lock-'))
afterAll(() => rmSync(directory, { recursive: true }))

test('has one holder at a time, even after a holder has failed', async () => {
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

test('throws if the file cannot be locked', async () => {
  await expect(
    withFileLock(
      join(directory, 'no/lock'),
      () => undefined,
      async () => undefined,
    ),
  ).rejects.toThrow('flock')
})
