import {
  createClient,
  type AgentLogEntry,
  type Client,
  type PlannedRetry,
  type ReceivedEvent,
} from '@slipway/client'
import { lineProxy, waitFor, type LineProxy } from '@slipway/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { shortToken, tokenOf } from '../support/api.ts'
import { callService } from '../support/cluster.ts'
import { fromStack } from '../support/environment.ts'
import { expiredToken } from '../support/expired-token.ts'
import { deployInspectedAgent, type InspectedAgent } from '../support/inspected-agent.ts'

// The published client with the whole stack, over a line that a test cuts.

const NAME = 'client-agent'
let agent: InspectedAgent
let line: LineProxy
/** Each request gets another token, which expires after two seconds. */
let client: Client
beforeAll(async () => {
  line = await lineProxy(fromStack('SLIPWAY_URL'))
  client = createClient({ url: line.url, token: () => shortToken() })
  agent = await deployInspectedAgent(NAME)
})
afterAll(async () => {
  await agent?.[Symbol.asyncDispose]()
  await line[Symbol.asyncDispose]()
})

const deployment = () => ({ account: agent.account, name: NAME })

/** Reads a stream in the background. */
function collect<Item>(stream: (signal: AbortSignal) => AsyncIterable<Item>) {
  const leaving = new AbortController()
  const items: Item[] = []
  const reading = (async () => {
    for await (const item of stream(leaving.signal)) items.push(item)
  })()
  // Until it is awaited.
  reading.catch(() => {})
  const close = async () => {
    leaving.abort()
    await reading
  }
  return { items, reading, close }
}

/** A deploy that changes the agent. */
function changedDeploy(value: string) {
  const overrides = { 'agent.environment.CHANGED': value }
  return { ...agent.deployBody, ...deployment(), overrides }
}

/** The agent logs the paths of requests. */
async function ask(query: string): Promise<void> {
  await callService(agent.namespace, `${NAME}-agent`, 8080, `/healthz?${query}`)
}

test('follows logs and events over cut lines, and has each once', async () => {
  const logs = collect<AgentLogEntry>((signal) =>
    client.agentLogs(deployment(), { follow: true, signal }),
  )
  const pod = await agent.podName()
  const { namespace, account } = agent
  const podLog = collect((signal) =>
    client.podLogs({ account, namespace, pod }, { follow: true, signal }),
  )
  const events = collect<ReceivedEvent>((signal) =>
    client.deploymentEvents(deployment(), { signal }),
  )
  const count = (items: readonly { readonly text: string }[], query: string) =>
    items.filter(({ text }) => text.includes(`?${query}`)).length
  const rounds = [1, 2, 3, 4].map((round) => `round-${round}.`)
  for (const round of rounds) {
    await ask(round)
    await waitFor(
      () => count(logs.items, round) > 0 && count(podLog.items, round) > 0 && events.items[0],
      { what: `the lines of ${round}` },
    )
    line.cut()
  }
  const body = changedDeploy('events')
  await client.POST('/api/v1/deploy', { body })
  await waitFor(() => events.items.some(({ event }) => event.type === 'applied'), {
    what: 'the event of the deploy',
  })
  await Promise.all([logs.close(), podLog.close(), events.close()])
  for (const { items } of [logs, podLog])
    expect(rounds.map((round) => count(items, round))).toEqual([1, 1, 1, 1])
  const sequences = events.items.map(({ id }) => Number(id.split(':')[1]))
  const first = sequences[0] ?? 0
  expect(sequences).toEqual(sequences.map((_, index) => first + index))
  expect(events.items.filter(({ event }) => event.type === 'snapshot')).toHaveLength(1)
})

test('repeats a deploy whose connection was cut, with the effect of one', async () => {
  const direct = createClient({ url: fromStack('SLIPWAY_URL'), token: () => tokenOf('alice') })
  const revisions = async () =>
    await Array.fromAsync(
      direct.items('/api/v1/agents/{account}/{name}/deployment/revisions', {
        params: { path: deployment(), query: { limit: 1 } },
      }),
    )
  const before = await revisions()
  const retries: PlannedRetry[] = []
  const deployer = createClient({
    url: line.url,
    token: () => tokenOf('alice'),
    onRetry: (retry) => retries.push(retry),
  })
  // The response can't arrive before the cut.
  line.mute()
  const deploying = deployer.POST('/api/v1/deploy', {
    params: { query: { wait: 60 } },
    body: changedDeploy('repeated'),
  })
  await waitFor(async () => (await revisions()).length > before.length, { what: 'the revision' })
  line.cut()
  const { data } = await deploying
  expect(data.errors).toEqual([])
  expect(retries[0]?.error).toMatchObject({ reason: 'cut' })
  expect(await revisions()).toHaveLength(before.length + 1)
})

test('asks for another token when the server rejects one', async () => {
  const expired = await expiredToken()
  const asked: (string | undefined)[] = []
  const other = createClient({
    url: line.url,
    token: async ({ rejected }) => {
      asked.push(rejected)
      return rejected === undefined ? expired : await tokenOf('alice')
    },
  })
  expect((await other.GET('/api/v1/me')).response.status).toBe(200)
  expect(asked).toEqual([undefined, expired])
})

test('ends followed logs and events when the agent is undeployed', async () => {
  const logs = collect((signal) => client.agentLogs(deployment(), { follow: true, signal }))
  const events = collect((signal) => client.deploymentEvents(deployment(), { signal }))
  await waitFor(() => [logs, events].every(({ items }) => items.length > 0), {
    what: 'the streams',
  })
  const { response } = await client.POST('/api/v1/undeploy', { body: deployment() })
  expect(response.status).toBe(200)
  await Promise.all([logs.reading, events.reading])
  expect(events.items.at(-1)?.event.type).toBe('undeployed')
})
