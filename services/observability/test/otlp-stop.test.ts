import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'

import { waitFor } from '@slipway/testing'
import { expect, test } from 'vitest'

import { newAgent, startWithAccounts } from './support/agents.ts'

test('serves senders on kept connections and asks them to use others before it stops', async () => {
  // Ends as soon as no sender is connected.
  await using platform = await startWithAccounts({}, { noticeMs: 120_000 })
  const { token } = newAgent(platform)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-protobuf' }
  const send = async (agent: Agent) => {
    const sent = request(platform.ingestUrl, { method: 'POST', headers, agent })
    sent.end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    await once(response.resume(), 'end')
    return [response.statusCode, response.headers.connection]
  }
  const kept = new Agent({ keepAlive: true })
  const other = new Agent({ keepAlive: true })
  expect(await send(kept)).toEqual([200, 'keep-alive'])
  const stopped = platform.service[Symbol.asyncDispose]()
  await waitFor(async () => (await send(other))[1] === 'close', { what: 'the service to stop' })
  expect(await send(kept)).toEqual([200, 'close'])
  await stopped
})
