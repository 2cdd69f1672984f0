import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { afterEach, describe, expect, test, vi } from 'vitest'

import { backoffMs, orAbort, sleep, sleepOrAbort } from './waiting.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

describe('backoffMs', () => {
  test.each([
    [0, { maxMs: 2_000 }, 100],
    [3, { maxMs: 2_000 }, 800],
    [5, { maxMs: 2_000 }, 2_000],
    [5_000, { maxMs: 2_000 }, 2_000],
    [2, { firstMs: 10, maxMs: Infinity }, 40],
  ])('after %d failures with %j is about %d ms', (failures, bounds, expected) => {
    for (const random of [0, 0.5, 0.999]) {
      vi.spyOn(Math, 'random').mockReturnValue(random)
      expect(backoffMs(failures, bounds)).toBeCloseTo(expected * (0.5 + random))
    }
  })
})

describe('a signal that fires', () => {
  const reason = new Error('stop')

  test('ends a sleep without an error', async () => {
    const stopping = new AbortController()
    const sleeping = sleep(2 ** 30, stopping.signal)
    stopping.abort(reason)
    await expect(sleeping).resolves.toBeUndefined()
    await expect(sleep(2 ** 30, stopping.signal)).resolves.toBeUndefined()
  })

  test('rejects sleepOrAbort and orAbort with its reason', async () => {
    const stopping = new AbortController()
    const never = Promise.withResolvers<void>()
    const waiting = [
      sleepOrAbort(2 ** 30, stopping.signal),
      orAbort(never.promise, stopping.signal),
    ]
    stopping.abort(reason)
    for (const each of waiting) await expect(each).rejects.toBe(reason)
    await expect(sleepOrAbort(2 ** 30, stopping.signal)).rejects.toBe(reason)
  })

  test('leaves no rejection of the abandoned promise unhandled', async () => {
    const late = Promise.withResolvers<void>()
    await expect(orAbort(late.promise, AbortSignal.abort(reason))).rejects.toBe(reason)
    late.reject(new Error('unhandled'))
  })
})

test('if the signal does not fire, orAbort settles like its promise', async () => {
  const { signal } = new AbortController()
  const error = new Error('own')
  expect(await orAbort(Promise.resolve(1), signal)).toBe(1)
  await expect(orAbort(Promise.reject(error), signal)).rejects.toBe(error)
  await expect(sleepOrAbort(0, undefined)).resolves.toBeUndefined()
})

test('sleepInSteps ends in a process that does nothing else', async () => {
  const program = `
    import { createServer } from 'node:net'
    import { sleepInSteps } from '${import.meta.resolve('./waiting.ts')}'
    const server = createServer().listen(0, '127.0.0.1')
    await sleepInSteps(1, 100)
    server.close()`
  const running = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  await expect(running).resolves.toMatchObject({ stderr: '' })
})
