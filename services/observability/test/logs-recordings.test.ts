import { readRecordings, replay, type Recording } from '@slipway/testing/recordings'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { listTraces, newAgent, startWithAccounts } from './support/agents.ts'
import { post } from './support/otlp.ts'
import { urlOf } from './support/otlp-logs.ts'
import type { Platform } from './support/platform.ts'

let platform: Platform

beforeAll(async () => {
  platform = await startWithAccounts()
})
afterAll(() => platform?.[Symbol.asyncDispose]())

/** Senders whose content arrives in log records, by the conventions or in their own way. */
const SENDERS = ['openai-v2', 'claude-agent-sdk', 'codex']

/** Their recordings with log records. */
const recordings = SENDERS.flatMap((sender) => readRecordings(sender)).filter(({ requests }) =>
  requests.some(({ path }) => path === '/v1/logs'),
)

/** Sends a recording; returns what is shown of its traces. */
async function shown(recording: Recording, order: 1 | -1) {
  const { name, token } = newAgent(platform)
  const startNs = BigInt(Date.now() - 60_000) * 1_000_000n
  const requests = replay(recording, { startNs, salt: name })
  for (const { path, contentType, body } of order === 1 ? requests : requests.toReversed()) {
    const url = urlOf(path.slice('/v1/'.length), platform.ingestUrl)
    const response = await post(url, token, new Uint8Array(body), { 'content-type': contentType })
    expect([response.status, (await response.bytes()).length]).toEqual([200, 0])
  }
  const { traces } = await listTraces(platform, name)
  const read = await platform.traces.getTrace(
    { account: 'acme', name, traceId: traces[0]?.traceId ?? '' },
    await platform.as('alice'),
  )
  expect(read.trace).toMatchObject({ input: traces[0]?.input, output: traces[0]?.output })
  return traces.map(({ input, output }) => ({ input, output }))
}

test.each(recordings)('$name shows what was said, in any order', async (recording) => {
  const { traces, not_sent: notSent } = recording.expected
  // Lists show the newest trace first.
  const expected = traces.toReversed().map(({ input, output }) => ({
    input: 'input' in notSent ? '' : input,
    output: 'output' in notSent ? '' : output,
  }))
  expect(await shown(recording, 1)).toEqual(expected)
  expect(await shown(recording, -1)).toEqual(expected)
})
