import { afterAll, beforeAll, expect, test } from 'vitest'

import { newAgent, rootSpan, startWithAccounts } from './support/agents.ts'
import { sendSpans } from './support/otlp.ts'
import { answer, question, sendLogs } from './support/otlp-logs.ts'
import type { Platform } from './support/platform.ts'

const CALL = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' }

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
  expect(trace).toMatchObject({ userId: 'user-42', sessionId: 'conversation-7' })
})
