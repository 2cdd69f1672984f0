import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { tokenOf } from '../support/api.ts'
import { cluster } from '../support/cluster.ts'
import { deployInspectedAgent, type InspectedAgent } from '../support/inspected-agent.ts'
import { read, readUntilExpiry } from '../support/reading.ts'

// The API server counts its log streams but doesn't report their owners, so no other test may have
// one open.

let agent: InspectedAgent
beforeAll(async () => {
  agent = await deployInspectedAgent('followed-agent')
  // The API server may notice only now that readers of earlier tests went away.
  await untilOpen(0)
})
afterAll(async () => {
  await agent[Symbol.asyncDispose]()
})

/** The number of log requests that the API server is serving now. */
async function openLogStreams(): Promise<number> {
  const metrics = (await cluster.call('GET', '/metrics')) as unknown
  const text = typeof metrics === 'string' ? metrics : JSON.stringify(metrics)
  return [
    ...text.matchAll(/^apiserver_longrunning_requests\{[^}]*subresource="log"[^}]*\} (\d+)$/gm),
  ].reduce((sum, [, count]) => sum + Number(count), 0)
}

async function untilOpen(count: number): Promise<void> {
  await waitFor(async () => (await openLogStreams()) === count, {
    what: `${count} log streams at the API server`,
    intervalMs: 500,
  })
}

describe('a log that is followed', () => {
  test('starts even without new lines, and is cut off when the token expires', async () => {
    const pod = await agent.podName()
    const reading = await readUntilExpiry(agent.logPath(pod, '&follow=true&sinceSeconds=1'))
    expect(reading.status).toBe(200)
    await waitFor(() => reading.end() !== 'open', { what: 'the token to expire' })
    expect(reading.end()).toBe('cut')
    // The API server notices a moment after the reader.
    await untilOpen(0)
  })

  test('is closed at the API server when its reader goes away', async () => {
    const pod = await agent.podName()
    const token = await tokenOf('alice')
    const readings = await Promise.all(
      [1, 2, 3, 4, 5].map(() => read(agent.logPath(pod, '&follow=true'), token)),
    )
    await untilOpen(5)
    for (const reading of readings) reading.close()
    expect(readings.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    await untilOpen(0)
  })
})
