import { createClient, type Client, type PlannedRetry } from '@slipway/client'
import { lineProxy } from '@slipway/testing'
import { expect, test } from 'vitest'

import { startLoneGateway } from './support/lone-gateway.ts'
import { startNumberedDeployer, type NumberedDeployer } from './support/numbered-deployer.ts'

// The client continues the streams of a gateway. The line to the gateway is cut, or the deployer
// ends the streams as when it stops.

const COUNT = 60
const CUTS = 4
const AGENT = { account: 'alice', name: 'bot' }
const POD = { account: 'alice', namespace: 'ns', pod: 'p' }

interface Fixture extends AsyncDisposable {
  readonly client: Client
  readonly deployer: NumberedDeployer
  readonly retries: readonly PlannedRetry[]
  readonly cut: () => void
  /** From now on, the client has no valid token, or has one again. */
  signOut(): void
  signIn(): void
}

async function start(): Promise<Fixture> {
  await using starting = new AsyncDisposableStack()
  const deployer = starting.use(await startNumberedDeployer(COUNT))
  const gateway = starting.use(
    await startLoneGateway({ DEPLOYER_ADDRESS: deployer.address }, { drainMs: 0, noticeMs: 0 }),
  )
  const line = starting.use(await lineProxy(gateway.url))
  const retries: PlannedRetry[] = []
  let isSignedIn = true
  const client = createClient({
    url: line.url,
    token: () => (isSignedIn ? gateway.issuer.userToken('alice') : 'not-a-token'),
    onRetry: (retry) => retries.push(retry),
  })
  const stack = starting.move()
  return {
    client,
    deployer,
    retries,
    cut: () => line.cut(),
    signOut() {
      isSignedIn = false
    },
    signIn() {
      isSignedIn = true
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Reads `count` items. Ends the connection after every part of them. */
async function readAll<Item>(
  stream: (signal: AbortSignal) => AsyncIterable<Item>,
  count: number,
  end: () => void,
): Promise<Item[]> {
  const enough = new AbortController()
  const items: Item[] = []
  const part = Math.floor(count / (CUTS + 1))
  for await (const item of stream(enough.signal)) {
    items.push(item)
    if (items.length === count) enough.abort()
    else if (items.length % part === 0 && items.length <= part * CUTS) end()
  }
  return items
}

const numbers = Array.from({ length: COUNT }, (_, index) => index + 1)

/** The ways in which a connection ends. */
const ENDS: readonly [string, (fixture: Fixture) => () => void][] = [
  ['the line is cut', ({ cut }) => cut],
  ['the deployer stops', ({ deployer }) => deployer.interrupt.bind(deployer)],
]

test.each(ENDS)('has each event once when %s', async (_what, endOf) => {
  await using it = await start()
  const events = await readAll(
    (signal) => it.client.deploymentEvents(AGENT, { signal }),
    COUNT,
    endOf(it),
  )
  expect(events.map(({ id }) => Number(id.split(':')[1]))).toEqual(numbers)
  expect(events[0]?.event.type).toBe('snapshot')
  expect(it.deployer.started).toBeGreaterThan(1)
  expect(it.retries.length).toBeGreaterThan(0)
})

test.each(ENDS)('has each line of an agent once when %s', async (_what, endOf) => {
  await using it = await start()
  const entries = await readAll(
    (signal) => it.client.agentLogs(AGENT, { follow: true, signal }),
    COUNT * 3,
    endOf(it),
  )
  const lines = entries.map((entry) => (entry.kind === 'line' ? entry : undefined))
  const of = (container: string) =>
    lines.flatMap((line) => (line?.container === container ? [line.text] : []))
  expect(of('a')).toEqual(numbers.map((number) => `line ${number}`))
  expect(of('b')).toEqual(numbers.flatMap((number) => [`line ${number}`, `line ${number}`]))
  expect(it.deployer.started).toBeGreaterThan(1)
})

test.each(ENDS)('has each line of a pod once when %s', async (_what, endOf) => {
  await using it = await start()
  const lines = await readAll(
    (signal) => it.client.podLogs(POD, { follow: true, signal }),
    COUNT,
    endOf(it),
  )
  expect(lines.map(({ text }) => text)).toEqual(numbers.map((number) => `line ${number}`))
  expect(it.deployer.started).toBeGreaterThan(1)
})

test('resumes after an event of an earlier run', async () => {
  await using it = await start()
  const first = it.client.deploymentEvents(AGENT)
  const { value } = await first.next()
  await first.return()
  const lastEventId = value?.id.replace(/:\d+$/, ':58')
  const later = await readAll(
    (signal) => it.client.deploymentEvents(AGENT, { lastEventId, signal }),
    2,
    () => {},
  )
  expect(later.map(({ id }) => id.split(':')[1])).toEqual(['59', '60'])
})

test('throws why a stream cannot start, and why one cannot continue', async () => {
  await using it = await start()
  const stranger = createClient({ url: it.client.url })
  await expect(stranger.deploymentEvents(AGENT).next()).rejects.toMatchObject({
    code: 'token_required',
  })
  it.signOut()
  await expect(it.client.agentLogs(AGENT).next()).rejects.toMatchObject({ code: 'invalid_token' })
  it.signIn()
  const lines = it.client.podLogs(POD, { follow: true })
  expect(await lines.next()).toMatchObject({ value: { text: 'line 1' } })
  it.signOut()
  it.cut()
  await expect(Array.fromAsync(lines)).rejects.toMatchObject({ code: 'invalid_token' })
})

test('gives up a stream that cannot be continued in time', async () => {
  await using it = await start()
  const events = it.client.deploymentEvents(AGENT, { continueMs: 0 })
  await events.next()
  it.cut()
  await expect(Array.fromAsync(events)).rejects.toMatchObject({ reason: 'cut' })
})
