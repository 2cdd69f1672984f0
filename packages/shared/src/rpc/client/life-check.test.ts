import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect, onTestFinished, test } from 'vitest'

import { LifeCheck, PING_TIMEOUT_MS } from './life-check.ts'

/** What the first check of a server finds. */
async function check(serve: RequestListener): Promise<string> {
  const server = createServer(serve).listen(0, '127.0.0.1')
  onTestFinished(() => server.close().closeAllConnections())
  await once(server, 'listening')
  const found = Promise.withResolvers<string>()
  using lifeCheck = new LifeCheck(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    {},
    {
      isInDoubt: () => true,
      responded: () => found.resolve('responded'),
      silent: () => found.resolve('silent'),
    },
  )
  lifeCheck.start()
  return await found.promise
}

test('finds a server that accepts requests and does not respond', async () => {
  expect(await check(() => {})).toBe('silent')
})

test('the time in which this process is busy does not count', async () => {
  const served = await check((_request, response) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PING_TIMEOUT_MS * 2)
    response.end()
  })
  expect(served).toBe('responded')
})
