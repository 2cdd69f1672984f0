import { TraceStatus } from '@slipway/proto/slipway/observability/v1/trace'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { listTraces, newAgent, startWithAccounts } from './support/agents.ts'
import {
  encodeRequest,
  newTraceId,
  post,
  sendSpans,
  toOtlpSpan,
  type TestSpan,
} from './support/otlp.ts'
import type { Platform } from './support/platform.ts'

let platform: Platform

beforeAll(async () => {
  platform = await startWithAccounts()
})
afterAll(() => platform?.[Symbol.asyncDispose]())

const START_MS = Date.now() - 60_000

/** Returns a function that creates the spans of a new trace, in the order in which they start. */
function newRun() {
  const traceId = newTraceId()
  let count = 0
  return (id: string, parent: string, changes: Partial<TestSpan> = {}): TestSpan => ({
    traceId,
    spanId: id.repeat(16),
    parentSpanId: parent.repeat(16),
    startMs: START_MS + (count += 1),
    name: id,
    ...changes,
  })
}

const agent = { 'gen_ai.operation.name': 'invoke_agent' }
const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'find' }
const chat = (input: number, more: Readonly<Record<string, string>> = {}) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.usage.input_tokens': input,
  'gen_ai.usage.output_tokens': 1,
  ...more,
})

async function getTrace(name: string, traceId: string) {
  const request = { account: 'acme', name, traceId }
  return await platform.traces.getTrace(request, await platform.as('alice'))
}

/** Sends the spans in one request, and returns the agent that sent them. */
async function send(...spans: readonly TestSpan[]): Promise<string> {
  const { name, token } = newAgent(platform)
  await sendSpans(platform.ingestUrl, token, spans)
  return name
}

test('a run fails if its agent fails, even if the root does not', async () => {
  const span = newRun()
  const root = span('a', '')
  const failed = span('b', 'a', { attributes: agent, isError: true, exception: 'no model' })
  const name = await send(root, failed)
  const { traces } = await listTraces(platform, name, { status: TraceStatus.ERROR })
  expect(traces).toMatchObject([{ traceId: root.traceId, status: TraceStatus.ERROR }])
  expect((await listTraces(platform, name, { status: TraceStatus.OK })).traces).toEqual([])
  expect(await getTrace(name, root.traceId)).toMatchObject({
    trace: { status: TraceStatus.ERROR },
    errorSpanCount: 1,
    spans: [{ status: TraceStatus.OK }, { statusMessage: 'no model' }],
  })
  const summary = { account: 'acme', name }
  expect(await platform.traces.getSummary(summary, await platform.as('alice'))).toMatchObject({
    errorRate: 1,
  })
})

test('a run does not fail with a tool or with the agent that a tool calls', async () => {
  const span = newRun()
  const root = span('a', '', { attributes: agent })
  const failedTool = span('b', 'a', { attributes: tool, isError: true })
  const name = await send(root, failedTool, span('c', 'b', { attributes: agent, isError: true }))
  const { traces } = await listTraces(platform, name)
  expect(traces).toMatchObject([{ status: TraceStatus.OK }])
  expect(await getTrace(name, root.traceId)).toMatchObject({
    trace: { status: TraceStatus.OK },
    errorSpanCount: 2,
  })
})

test('the arguments and results of tools are not the input and output of a run', async () => {
  const span = newRun()
  const root = span('a', '')
  const name = await send(
    root,
    span('b', 'a', {
      attributes: {
        ...tool,
        'gen_ai.tool.call.arguments': '{"x":1}',
        'gen_ai.tool.call.result': 'found',
      },
      durationMs: 100,
    }),
    span('c', 'a', { attributes: chat(1, { 'gen_ai.prompt': 'q', 'gen_ai.completion': 'a' }) }),
  )
  const expected = { input: 'q', output: 'a' }
  expect((await listTraces(platform, name)).traces).toMatchObject([expected])
  expect(await getTrace(name, root.traceId)).toMatchObject({ trace: expected })
})

test('a trace counts tokens once', async () => {
  const span = newRun()
  const root = span('a', '', { attributes: { ...chat(99), ...agent } })
  const response = { 'gen_ai.response.id': 'r1' }
  const name = await send(
    root,
    span('b', 'a', { attributes: chat(7) }),
    span('c', 'b', { attributes: chat(7) }),
    span('d', 'a', { attributes: chat(5, response) }),
    span('e', 'a', { attributes: chat(5, response) }),
  )
  expect(await getTrace(name, root.traceId)).toMatchObject({ inputTokens: 12n, outputTokens: 2n })
})

test('a trace without calls of models counts the totals of its agents', async () => {
  const span = newRun()
  const root = span('a', '')
  const name = await send(
    root,
    span('b', 'a', { attributes: { ...chat(99), ...agent } }),
    span('c', 'b', { attributes: { ...chat(40), ...agent } }),
  )
  expect(await getTrace(name, root.traceId)).toMatchObject({ inputTokens: 99n, outputTokens: 1n })
})

test('a long conversation keeps its last question and its tokens', async () => {
  const messages = Array.from({ length: 5_000 }, (_, index) => [
    [`llm.input_messages.${index}.message.role`, index % 2 === 0 ? 'user' : 'assistant'],
    [`llm.input_messages.${index}.message.content`, `message ${index}`],
  ]).flat()
  const span = newRun()
  const attributes = {
    ...Object.fromEntries(messages),
    'openinference.span.kind': 'LLM',
    'llm.token_count.prompt': 9_000,
  }
  const root = span('a', '', { attributes })
  const name = await send(root)
  const answer = await getTrace(name, root.traceId)
  expect(answer).toMatchObject({ trace: { input: 'message 4998' }, inputTokens: 9_000n })
  expect(answer.spans[0]?.attributes).toMatchObject({ 'slipway.dropped_attributes': 9_874 })
})

test('accepts a token whose header was not decoded', async () => {
  const { name, token } = newAgent(platform)
  const body = encodeRequest([toOtlpSpan(newRun()('a', ''))])
  const headers = { authorization: `Bearer%20${token}` }
  expect((await post(platform.ingestUrl, token, body, headers)).status).toBe(200)
  expect((await listTraces(platform, name)).traces).toHaveLength(1)
})
