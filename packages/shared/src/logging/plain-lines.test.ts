import { pino } from 'pino'
import { expect, test } from 'vitest'

import { createLogger } from './logger.ts'
import { plainLines, plainText } from './plain-lines.ts'

function startLogger(level: 'info' | 'warn') {
  const lines: string[] = []
  const logger = createLogger('a "service"', level, { write: (line) => void lines.push(line) })
  return { logger, lines }
}

test('a plain line has the format and the destination of the logger’s own lines', () => {
  const { logger, lines } = startLogger('info')
  const facts = { method: 'GET', route: '/a', status: 200 }
  const more = { durationMs: 1.5, requestId: plainText('r"\n\u0007é'), traceId: undefined }
  plainLines(logger)('request', facts)(more)
  logger.info({ ...facts, durationMs: 1.5, requestId: 'r"\n\u0007é' }, 'request')
  const [plain, own] = lines.map((line) => JSON.parse(line))
  expect(plain).toEqual({ ...own, time: expect.any(String) })
  expect(lines[0]).toMatch(/^\{"level":"info","time":"\d{4}-[^"]+Z","service".*\}\n$/)
  expect(Math.abs(Date.parse(plain.time) - Date.parse(own.time))).toBeLessThan(60_000)
})

test('nothing is written when the logger’s level is above info', () => {
  const { logger, lines } = startLogger('warn')
  plainLines(logger)('request', {})({})
  expect(lines).toEqual([])
})

test('a logger that createLogger did not create is rejected', () => {
  expect(() => plainLines(pino({ level: 'info' }))).toThrow('not created by createLogger')
})
