import { expect, test } from 'vitest'

import { KeptLogs, type FailedRun } from './kept-logs.ts'
import type { LogEntry } from './log-entry.ts'

const run = (pod: string, more: Partial<FailedRun> = {}): FailedRun => ({
  accountId: 'a',
  deploymentId: 'd',
  namespace: 'n',
  component: 'agent',
  pod,
  container: 'agent',
  isPrevious: true,
  runId: pod,
  ...more,
})

const lines = (count: number, text = 'line'): LogEntry[] =>
  Array.from({ length: count }, (_, index) => ({
    time: BigInt(index),
    component: 'agent',
    pod: 'p',
    container: 'agent',
    text,
    eventReason: '',
  }))

const NONE = new Set<string>()

test('keeps the last lines of pods that are gone, for an hour', () => {
  let now = 0
  const kept = new KeptLogs(() => now)
  kept.keep(run('p'), lines(60))
  kept.keep(run('q'), lines(1))
  expect(kept.of('d', new Set(['q'])).map((entries) => entries.length)).toEqual([50])
  expect(kept.of('another', NONE)).toEqual([])
  expect(kept.ofContainer(run('p'))).toHaveLength(50)
  now = 60 * 60_000 + 1
  expect(kept.of('d', NONE)).toEqual([])
  expect(kept.ofContainer(run('p'))).toEqual([])
})

test('returns at most the wanted number of the last lines of each container', () => {
  const kept = new KeptLogs()
  kept.keep(run('p'), lines(10))
  kept.keep(run('q'), lines(1))
  expect(kept.of('d', NONE, 3).map((entries) => entries.map(({ time }) => time))).toEqual([
    [7n, 8n, 9n],
    [0n],
  ])
})

test('keeps one run of each container, and at most 16 KiB of it', () => {
  const kept = new KeptLogs()
  kept.keep(run('p'), lines(3))
  kept.keep(run('p'), lines(50, 'x'.repeat(1000)))
  expect(kept.of('d', NONE).map((entries) => entries.length)).toEqual([16])
})

test('a run without lines leaves those of an earlier run', () => {
  const kept = new KeptLogs()
  kept.keep(run('p', { runId: 'first' }), lines(3))
  kept.keep(run('p', { runId: 'second' }), [])
  expect(kept.ofContainer(run('p'))).toHaveLength(3)
})

test('an account displaces only its own lines', () => {
  const kept = new KeptLogs()
  kept.keep(run('p'), lines(3))
  for (let pod = 0; pod < 200; pod++) {
    const other = run(`m${pod}`, { accountId: 'mallory', deploymentId: 'm' })
    kept.keep(other, lines(50, 'x'.repeat(1000)))
  }
  expect(kept.of('d', NONE)).toHaveLength(1)
  const rest = kept.of('m', NONE).length
  expect(rest).toBeGreaterThan(50)
  expect(rest).toBeLessThan(100)
})
