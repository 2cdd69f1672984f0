import { expect, test } from 'vitest'

import { readRecordings, replay } from './index.ts'

const recordings = readRecordings()

test.for(recordings)('$name has requests, a ledger and expected traces', (recording) => {
  const { requests, ledger, expected, packages } = recording
  expect(requests.some(({ path, body }) => path === '/v1/traces' && body.length > 0)).toBe(true)
  expect(Object.values(packages).every((version) => /^\d/.test(version))).toBe(true)
  const billed = ledger.reduce((sum, { input_tokens }) => sum + input_tokens, 0)
  expect(expected.traces.reduce((sum, trace) => sum + trace.input_tokens, 0)).toBe(billed)
})

test.for(recordings)('replays $name byte for byte, but with other times and ids', (recording) => {
  expect(replay(recording, {})).toEqual(recording.requests)

  const startNs = 1_800_000_000_000_000_000n
  const replayed = replay(recording, { startNs, salt: 'other' })
  expect(replayed).not.toEqual(recording.requests)
  expect(replayed.map(({ body }) => body.length)).toEqual(
    recording.requests.map(({ body }) => body.length),
  )
  expect(replay({ requests: replayed }, { startNs })).toEqual(replayed)
})
