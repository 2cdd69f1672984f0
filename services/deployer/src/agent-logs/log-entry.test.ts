import { expect, test } from 'vitest'

import { linesOf, parseLine } from './log-entry.ts'

const ORIGIN = { component: 'agent', pod: 'p', container: 'agent' }

test('reads the time of a line, in any zone and precision', () => {
  const line = (stamp: string) => parseLine(`${stamp} some text`, ORIGIN)
  const time = 1_795_348_800_123_456_789n
  expect(line('2026-11-22T12:00:00.123456789Z')).toEqual({
    ...ORIGIN,
    time,
    text: 'some text',
    eventReason: '',
  })
  expect(line('2026-11-22T14:00:00.123456789+02:00')?.time).toBe(time)
  expect(line('2026-11-22T12:00:00Z')?.time).toBe(1_795_348_800_000_000_000n)
  expect(parseLine('2026-11-22T12:00:00Z', ORIGIN)?.text).toBe('')
  expect(parseLine('unable to retrieve container logs for x', ORIGIN)).toBeUndefined()
})

async function* chunksOf(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

test('splits chunks into lines, and cuts those that are too long', async () => {
  const long = 'x'.repeat(40_000)
  const lines = await Array.fromAsync(
    linesOf(chunksOf('on', 'e\ntwo\nth', 'ree', `\n${long}`, `${long}\nlast`)),
  )
  expect(lines).toEqual(['one', 'two', 'three', 'x'.repeat(16 * 1024), 'last'])
})
