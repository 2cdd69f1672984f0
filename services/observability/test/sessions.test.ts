import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import { Code } from '@connectrpc/connect'
import { readRemoteError } from '@slipway/shared/rpc'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { newAgent, OWNER, rootSpan, startWithAccounts } from './support/agents.ts'
import { newSpanId, sendSpans, type TestSpan } from './support/otlp.ts'
import type { Platform } from './support/platform.ts'

let platform: Platform
const baseMs = Date.now() - 3_600_000

beforeAll(async () => {
  platform = await startWithAccounts()
})
afterAll(() => platform?.[Symbol.asyncDispose]())

async function listSessions(name: string, request: object = {}) {
  return await platform.traces.listSessions(
    { account: 'acme', name, ...request },
    await platform.as('alice'),
  )
}

async function getSession(name: string, sessionId: string, request: object = {}) {
  return await platform.traces.getSession(
    { account: 'acme', name, sessionId, ...request },
    await platform.as('alice'),
  )
}

/** A turn of a session that starts some seconds after the first one. */
function turn(sessionId: string, second: number, changes: Partial<TestSpan> = {}) {
  const root = rootSpan({ startMs: baseMs + second * 1000, ...changes })
  const model: TestSpan = {
    traceId: root.traceId,
    spanId: newSpanId(),
    parentSpanId: root.spanId,
    startMs: root.startMs + 1,
    attributes: {
      'session.id': sessionId,
      'gen_ai.operation.name': 'chat',
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 1,
    },
  }
  return [root, model]
}

const text = (input: string, output: string) => ({ 'input.value': input, 'output.value': output })

describe('the list', () => {
  test('has the turns of each session in the range', async () => {
    const { name, token } = newAgent(platform)
    await sendSpans(platform.ingestUrl, token, [
      ...turn('a', 0, { attributes: text('first', 'A') }),
      ...turn('b', 1, { attributes: text('only', 'B') }),
      ...turn('a', 2, { isError: true, attributes: { ...text('2nd', 'C'), 'user.id': 'ann' } }),
      ...turn('a', 3, { attributes: { ...text('last', 'D'), 'user.id': 'ben' } }),
      rootSpan({ startMs: baseMs }),
    ])
    const { sessions, total } = await listSessions(name)
    expect(total).toBe(2n)
    expect(sessions).toMatchObject([
      {
        sessionId: 'a',
        turnCount: 3n,
        errorCount: 1n,
        inputTokens: 30n,
        outputTokens: 3n,
        userId: 'ann',
        input: 'first',
        output: 'D',
      },
      { sessionId: 'b', turnCount: 1n, errorCount: 0n, userId: '', input: 'only', output: 'B' },
    ])
    const [times] = sessions.map(({ firstStartTime, lastStartTime }) =>
      [firstStartTime, lastStartTime].map((time) => time && timestampMs(time)),
    )
    expect(times).toEqual([baseMs, baseMs + 3000])

    const range = { start: timestampFromMs(baseMs), end: timestampFromMs(baseMs + 2000) }
    expect((await listSessions(name, { range })).sessions).toMatchObject([
      { sessionId: 'b' },
      { sessionId: 'a', turnCount: 1n, output: 'A' },
    ])
  })

  test('is filtered by user, start of the id and errors, and paged', async () => {
    const { name, token } = newAgent(platform)
    const user = (id: string) => ({ attributes: { 'user.id': id } })
    await sendSpans(platform.ingestUrl, token, [
      ...turn('chat_1', 0, user('ann')),
      ...turn('chat_2', 1, { ...user('ben'), isError: true }),
      ...turn('chatter', 1, user('ann')),
    ])
    const found = async (request: object) =>
      (await listSessions(name, request)).sessions.map(({ sessionId }) => sessionId)
    expect(await found({})).toEqual(['chat_2', 'chatter', 'chat_1'])
    expect(await found({ userId: 'ann' })).toEqual(['chatter', 'chat_1'])
    expect(await found({ query: 'chat_' })).toEqual(['chat_2', 'chat_1'])
    expect(await found({ query: 'hat' })).toEqual([])
    expect(await found({ hasErrors: true })).toEqual(['chat_2'])
    expect(await found({ hasErrors: false })).toEqual(['chatter', 'chat_1'])

    const first = await listSessions(name, { pageSize: 2 })
    const second = await listSessions(name, { pageSize: 2, pageToken: first.nextPageToken })
    const ids = [first, second].flatMap(({ sessions }) => sessions.map((each) => each.sessionId))
    expect(ids).toEqual(['chat_2', 'chatter', 'chat_1'])
    expect([first.total, second.total, second.nextPageToken]).toEqual([3n, 3n, ''])
  })

  test.each([
    ['user_id', { userId: 'x'.repeat(257) }],
    ['query', { query: 'a\0' }],
    ['page_size', { pageSize: 501 }],
  ])('rejects a %s out of bounds', async (field, request) => {
    const error = readRemoteError(
      await listSessions('any', request).catch((thrown: unknown) => thrown),
    )
    expect(error.code).toBe(Code.InvalidArgument)
    expect(error.violations.map((violation) => violation.field)).toEqual([field])
  })
})

describe('a session', () => {
  test('has its turns, the oldest first', async () => {
    const { name, token } = newAgent(platform)
    const oldest = Array.from({ length: 5 }, (_, index) =>
      turn('chat', index, { startMs: baseMs - (20 - index) * 86_400_000 }),
    )
    await sendSpans(platform.ingestUrl, token, [...oldest.flat(), ...turn('other', 0)])
    const first = await getSession(name, 'chat', { pageSize: 3 })
    const second = await getSession(name, 'chat', { pageSize: 3, pageToken: first.nextPageToken })
    expect(first.session).toMatchObject({ sessionId: 'chat', turnCount: 5n, inputTokens: 50n })
    expect(second.session).toEqual(first.session)
    expect([...first.turns, ...second.turns].map(({ traceId }) => traceId)).toEqual(
      oldest.map(([root]) => root?.traceId),
    )
    expect(second.nextPageToken).toBe('')
  })

  test.each([
    'a/b?c#d%2F',
    '..',
    "' OR 1=1 --",
    '{sessionId:String}',
    'tab\tline\nquote"backslash\\',
    '😀'.repeat(64),
    ' ',
  ])('is found by its id %j', async (id) => {
    const { name, token } = newAgent(platform)
    await sendSpans(platform.ingestUrl, token, [...turn(id, 0), ...turn('other', 0)])
    expect((await getSession(name, id)).session).toMatchObject({ sessionId: id, turnCount: 1n })
    expect((await listSessions(name, { query: id })).sessions).toMatchObject([{ sessionId: id }])
  })

  test('of another agent or account is not found', async () => {
    const { name, token } = newAgent(platform)
    const other = newAgent(platform)
    platform.neighbours.tokens.set(`${token}-2`, { ...OWNER, agent: name, accountId: 'acc-2' })
    await sendSpans(platform.ingestUrl, other.token, turn('chat', 0))
    await sendSpans(platform.ingestUrl, `${token}-2`, turn('chat', 0))
    const error = await getSession(name, 'chat').catch((thrown: unknown) => thrown)
    expect(readRemoteError(error)).toMatchObject({
      code: Code.NotFound,
      reason: 'session_not_found',
    })
    const denied = await platform.traces
      .getSession({ account: 'acme', name, sessionId: 'chat' }, await platform.as('bob'))
      .catch((thrown: unknown) => thrown)
    expect(readRemoteError(denied).code).toBe(Code.PermissionDenied)
  })

  test.each(['', 'x'.repeat(257), 'a\0'])('with the id %j is rejected', async (id) => {
    const error = readRemoteError(await getSession('any', id).catch((thrown: unknown) => thrown))
    expect(error.code).toBe(Code.InvalidArgument)
    expect(error.violations.map((violation) => violation.field)).toEqual(['session_id'])
  })
})
