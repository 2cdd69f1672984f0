import { expect, test } from 'vitest'

import { EntryMerger } from './entry-merger.ts'
import type { LogEntry } from './log-entry.ts'

const entry = (time: number, text = ''): LogEntry => ({
  time: BigInt(time),
  component: 'agent',
  pod: 'p',
  container: 'agent',
  text,
  eventReason: '',
})

async function* sourceOf(...times: number[]) {
  for (const time of times) yield entry(time)
}

const timesOf = (batches: readonly (readonly LogEntry[])[]) =>
  batches.flat().map(({ time }) => Number(time))
const signal = new AbortController().signal

test('sorts the entries of all sources, and ends with the last one', async () => {
  const merger = new EntryMerger({ isEndless: false })
  for (const times of [[1, 4, 7], [], [2, 3, 9]]) void merger.add(sourceOf(...times))
  expect(timesOf(await Array.fromAsync(merger.read(signal)))).toEqual([1, 2, 3, 4, 7, 9])
})

test('waits for a slow source, and goes on without one that fails', async () => {
  const merger = new EntryMerger({ isEndless: false })
  const gate = Promise.withResolvers<void>()
  async function* slow() {
    await gate.promise
    yield entry(1)
  }
  // oxlint-disable-next-line require-yield -- it fails first
  async function* failing(): AsyncGenerator<LogEntry> {
    throw new Error('the node is gone')
  }
  void merger.add(slow())
  void merger.add(sourceOf(2))
  merger.add(failing()).catch(() => gate.resolve())
  expect(timesOf(await Array.fromAsync(merger.read(signal)))).toEqual([1, 2])
})

test('an endless one does not wait for silent sources, and takes further ones', async () => {
  const merger = new EntryMerger({ isEndless: true })
  const ending = new AbortController()
  const silence = Promise.withResolvers<void>()
  async function* silent() {
    yield undefined
    await silence.promise
  }
  void merger.add(silent())
  void merger.add(sourceOf(1))
  const reading = merger.read(ending.signal)
  expect(timesOf([(await reading.next()).value ?? []])).toEqual([1])
  const next = reading.next()
  void merger.add(sourceOf(2))
  expect(timesOf([(await next).value ?? []])).toEqual([2])
  const last = reading.next()
  ending.abort()
  expect((await last).done).toBe(true)
  silence.resolve()
})

test('reads no more than a little ahead of a slow reader', async () => {
  const merger = new EntryMerger({ isEndless: false })
  let made = 0
  async function* endless() {
    for (;;) yield entry(made++, 'x'.repeat(1024))
  }
  void merger.add(endless())
  const reading = merger.read(signal)
  await reading.next()
  const before = made
  expect(before).toBeLessThan(1_000)
  for (let batch = 0; batch < 5; batch++) await reading.next()
  expect(made).toBeGreaterThan(before)
  expect(made).toBeLessThan(2_500)
  await reading.return(undefined)
})
