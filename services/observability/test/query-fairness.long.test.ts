import { Code } from '@connectrpc/connect'
import { readRemoteError } from '@slipway/shared/rpc'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { newSpanId, newTraceId, sendSpans } from './support/otlp.ts'
import { startPlatform, type Platform } from './support/platform.ts'

let platform: Platform

beforeAll(async () => {
  platform = await startPlatform()
  for (const [account, accountId, user] of [
    ['noisy', 'acc-1', 'nora'],
    ['quiet', 'acc-2', 'quinn'],
  ] as const) {
    platform.neighbours.accounts.set(account, accountId)
    platform.neighbours.members.add(`${accountId}/${user}`)
    platform.neighbours.tokens.set(account, {
      accountId,
      agent: 'helper',
      deploymentId: account,
      buildId: 'build-1',
    })
    const spans = Array.from({ length: 2_000 }, () => ({
      traceId: newTraceId(),
      spanId: newSpanId(),
      startMs: Date.now() - 60_000,
      attributes: { 'input.value': 'lorem ipsum '.repeat(50) },
    }))
    await sendSpans(platform.ingestUrl, account, spans)
  }
})
afterAll(() => platform?.[Symbol.asyncDispose]())

test('many searches of one account are limited, and delay no other account', async () => {
  const [noisy, quiet] = [await platform.as('nora'), await platform.as('quinn')]
  const request = { account: 'quiet', name: 'helper' }
  await platform.traces.getSummary(request, quiet)
  await platform.traces.getSummary({ account: 'noisy', name: 'helper' }, noisy)
  let answered = 0
  const searches = Array.from({ length: 100 }, async (_, index) => {
    await platform.traces.listTraces(
      { account: 'noisy', name: 'helper', query: `x${index}` },
      noisy,
    )
    answered += 1
  })
  const settled = Promise.allSettled(searches)
  expect((await platform.traces.getSummary(request, quiet)).totalTraces).toBe(2_000n)
  const answeredBefore = answered
  const rejections = (await settled)
    .filter((result) => result.status === 'rejected')
    .map(({ reason }) => readRemoteError(reason))
  expect(rejections.length).toBeGreaterThan(0)
  expect(rejections.map(({ reason }) => reason)).toEqual(rejections.map(() => 'too_many_queries'))
  expect(rejections[0]?.code).toBe(Code.ResourceExhausted)
  expect(answered).toBeGreaterThanOrEqual(33)
  expect(answeredBefore).toBeLessThan(answered / 2)
})

test('the accounts of one user do not fill the queue', async () => {
  const [nora, quinn] = [await platform.as('nora'), await platform.as('quinn')]
  const accounts = Array.from({ length: 12 }, (_, index) => `noisy-${index}`)
  for (const account of accounts) {
    platform.neighbours.accounts.set(account, account)
    platform.neighbours.members.add(`${account}/nora`)
  }
  const searches = accounts.flatMap((account) =>
    Array.from({ length: 32 }, (_, index) =>
      platform.traces.listTraces({ account, name: 'helper', query: `y${index}` }, nora),
    ),
  )
  const settled = Promise.allSettled(searches)
  const answers = Array.from({ length: 8 }, () =>
    platform.traces.getSummary({ account: 'quiet', name: 'helper' }, quinn),
  )
  for (const answer of await Promise.all(answers)) expect(answer.totalTraces).toBe(2_000n)
  const reasons = (await settled).flatMap((result) =>
    result.status === 'rejected' ? [readRemoteError(result.reason).reason] : [],
  )
  expect(new Set(reasons)).toEqual(new Set(['too_many_queries']))
})
