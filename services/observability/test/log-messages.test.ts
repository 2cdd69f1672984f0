import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { listTraces, newAgent, rootSpan, startWithAccounts } from './support/agents.ts'
import { newTraceId, sendSpans, type TestSpan } from './support/otlp.ts'
import { answer, question, sendLogs } from './support/otlp-logs.ts'
import type { Platform } from './support/platform.ts'

const CALL = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' }

const START_MS = Date.now() - 60_000

let platform: Platform

beforeAll(async () => {
  platform = await startWithAccounts()
})
afterAll(() => platform?.[Symbol.asyncDispose]())

test('a model shows the messages of its log records, with calls and results of tools', async () => {
  const { name, token } = newAgent(platform)
  const span = rootSpan({ attributes: CALL })
  const call = { id: 'call-1', function: { name: 'search', arguments: '{"q":1}' } }
  const logs = [
    question('Why?', span),
    { ...span, event: 'gen_ai.assistant.message', body: { tool_calls: [call] } },
    { ...span, event: 'gen_ai.tool.message', body: { id: 'call-1', content: 'found' } },
    answer('So.', span),
  ]
  await sendSpans(platform.ingestUrl, token, [span])
  const timeMs = Date.now()
  await sendLogs(
    platform.ingestUrl,
    token,
    logs.map((log, index) => ({ ...log, timeMs: timeMs + index })),
  )
  const { spans } = await platform.traces.getTrace(
    { account: 'acme', name, traceId: span.traceId },
    await platform.as('alice'),
  )
  expect(spans).toMatchObject([
    {
      inputMessages: [
        { text: 'Why?' },
        { toolCalls: [{ id: 'call-1', name: 'search', arguments: '{"q":1}' }] },
        { toolResults: [{ callId: 'call-1', text: 'found' }] },
      ],
      outputMessages: [{ text: 'So.' }],
    },
  ])
})

test('a trace shows the session and the user that only log records name', async () => {
  const { name, token } = newAgent(platform)
  const span = rootSpan({ attributes: CALL })
  await sendSpans(platform.ingestUrl, token, [span])
  const eventAttributes = { 'user.id': 'user-42', 'gen_ai.conversation.id': 'conversation-7' }
  await sendLogs(platform.ingestUrl, token, [{ ...question('Why?', span), eventAttributes }])
  const trace = await platform.traces.getTrace(
    { account: 'acme', name, traceId: span.traceId },
    await platform.as('alice'),
  )
  const ids = { userId: 'user-42', sessionId: 'conversation-7' }
  expect(trace).toMatchObject(ids)
  expect((await listTraces(platform, name)).traces).toMatchObject([ids])
})

test('lists show and find the user that only log records name', async () => {
  const { name, token } = newAgent(platform)
  const [first, second] = [newTraceId(), newTraceId()].map((traceId, index) => {
    const texts = { 'input.value': 'Why?', 'output.value': 'So.', 'session.id': 'chat' }
    return rootSpan({ traceId, startMs: START_MS + index, attributes: { ...CALL, ...texts } })
  }) as [TestSpan, TestSpan]
  const named = rootSpan({ attributes: { ...CALL, 'user.id': 'user-41' } })
  await sendSpans(platform.ingestUrl, token, [first, second, named])
  const saying = (span: TestSpan, user: string) => ({
    ...question('Why?', span),
    eventAttributes: { 'user.id': user },
  })
  const logs = [saying(first, 'user-42'), saying(second, 'user-43'), saying(named, 'user-42')]
  await sendLogs(platform.ingestUrl, token, logs)
  const found = async (request: object) =>
    (await listTraces(platform, name, request)).traces.map(({ traceId, userId }) => [
      traceId,
      userId,
    ])
  expect(await found({ userId: 'user-42' })).toEqual([[first.traceId, 'user-42']])
  expect(await found({ userId: 'user-43' })).toEqual([[second.traceId, 'user-43']])
  expect(await found({ userId: 'user-41' })).toEqual([[named.traceId, 'user-41']])
  expect(await found({ userId: 'user-43', sessionId: 'chat' })).toHaveLength(1)
  const longRange = { start: timestampFromMs(START_MS - 29 * 86_400_000) }
  expect(await found({ userId: 'user-43', sessionId: 'chat', range: longRange })).toHaveLength(1)
  const { sessions } = await platform.traces.listSessions(
    { account: 'acme', name },
    await platform.as('alice'),
  )
  expect(sessions).toMatchObject([{ sessionId: 'chat', userId: 'user-42' }])
})
