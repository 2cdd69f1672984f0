import { expect, test } from 'vitest'

import { createLogger } from '../../logging/logger.ts'
import { Readiness } from './health.ts'

test('logs when a check starts to fail, with the error, and when it succeeds again', async () => {
  const lines: string[] = []
  const logger = createLogger('test', 'info', { write: (line) => void lines.push(line) })
  let isUp = false
  const readiness = new Readiness(
    { database: () => (isUp ? Promise.resolve() : Promise.reject(new Error('refused'))) },
    logger,
  )
  expect(await readiness.failing()).toEqual(['database'])
  // Results are cached for a moment.
  isUp = true
  await expect.poll(() => readiness.failing()).toEqual([])
  isUp = false
  await expect.poll(() => readiness.failing()).toEqual(['database'])
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { event: 'not_ready', check: 'database', err: { message: 'refused' } },
    { event: 'ready_again', check: 'database' },
    { event: 'not_ready', check: 'database' },
  ])
})
