import { waitFor } from '@slipway/shared/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { loneGateway } from './gateway.ts'
import { streamingDeployer, type StreamingDeployer } from './streaming-deployer.ts'

const EVENTS = '/api/v1/agents/alice/bot/deployment/events'
const LOGS = '/api/v1/deployments/ns/logs?account=alice&pod=p&follow=true'

let deployer: StreamingDeployer

beforeAll(async () => {
  deployer = await streamingDeployer()
})

afterAll(async () => {
  await deployer[Symbol.asyncDispose]()
})

test.each([EVENTS, LOGS])('%s that would never end keeps no gateway from stopping', async (path) => {
  await using gateway = await loneGateway({ DEPLOYER_ADDRESS: deployer.address }, { drainMs: 100 })
  const headers = { authorization: `Bearer ${await gateway.issuer.userToken('alice')}` }
  const { status, body } = await fetch(`${gateway.url}${path}`, { headers })
  expect(status).toBe(200)
  const reader = body?.getReader()
  await reader?.read()
  const rest = reader?.read().then(
    ({ done }) => done,
    () => true,
  )
  await gateway[Symbol.asyncDispose]()
  expect(await rest).toBe(true)
  await waitFor(() => deployer.running === 0, { what: 'the end of the stream' })
})

test('who waits for a deploy while the gateway stops is told to come back', async () => {
  await using gateway = await loneGateway({ DEPLOYER_ADDRESS: deployer.address }, { drainMs: 100 })
  const token = await gateway.issuer.userToken('alice')
  const body = JSON.stringify({ account: 'alice', name: 'bot', build_id: 'b1' })
  const waiting = gateway.send('POST', '/api/v1/deploy?wait=300', { token, body })
  await waitFor(() => deployer.running === 1, { what: 'the deploy' })
  await gateway[Symbol.asyncDispose]()
  const answer = await waiting
  expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([
    503,
    'service_unavailable',
    '1',
  ])
})
