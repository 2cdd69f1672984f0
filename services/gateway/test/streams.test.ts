import { waitFor } from '@slipway/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { startLoneGateway, type LoneGateway } from './support/lone-gateway.ts'
import { startStreamingDeployer, type StreamingDeployer } from './support/streaming-deployer.ts'

const EVENTS = '/api/v1/agents/alice/bot/deployment/events'
const LOGS = '/api/v1/deployments/ns/logs?account=alice&pod=p&follow=true'

let deployer: StreamingDeployer
let gateway: LoneGateway
let token: string

beforeAll(async () => {
  deployer = await startStreamingDeployer()
  gateway = await startLoneGateway({ DEPLOYER_ADDRESS: deployer.address })
  token = await gateway.issuer.userToken('alice')
})

afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  await deployer[Symbol.asyncDispose]()
})

describe.each([
  ['events', EVENTS],
  ['logs', LOGS],
])('%s', (_what, path) => {
  test('return 405 for HEAD without starting a stream', async () => {
    const { started } = deployer
    const { status, headers } = await gateway.send('HEAD', path, { token })
    expect([status, headers.get('allow'), deployer.started]).toEqual([405, 'GET', started])
  })

  test('end when the client disconnects', async () => {
    const leaving = new AbortController()
    const headers = { authorization: `Bearer ${token}` }
    const { status, body } = await fetch(`${gateway.url}${path}`, {
      headers,
      signal: leaving.signal,
    })
    expect(status).toBe(200)
    await body?.getReader().read()
    await waitFor(() => deployer.running === 1, { what: 'the stream' })
    leaving.abort()
    await waitFor(() => deployer.running === 0, { what: 'the end of the stream' })
  })
})

test('lets only a followed log be silent for longer than the limit', async () => {
  await using quiet = await startStreamingDeployer()
  await using patient = await startLoneGateway(
    { DEPLOYER_ADDRESS: quiet.address },
    { silenceMs: 5_000 },
  )
  const headers = { authorization: `Bearer ${await patient.issuer.userToken('alice')}` }
  const followed = await fetch(`${patient.url}${LOGS}`, { headers })
  const reader = followed.body?.getReader()
  const decoder = new TextDecoder()
  expect(decoder.decode((await reader?.read())?.value)).toBe('first\n')
  // This one was silent for a shorter time, and is cut off.
  const other = await fetch(`${patient.url}${LOGS.replace('&follow=true', '')}`, { headers })
  await expect(other.text()).rejects.toThrow('terminated')
  quiet.release()
  expect(decoder.decode((await reader?.read())?.value)).toBe('last\n')
  await reader?.cancel()
})
