import { encodeLogs, type TestLog } from '@slipway/observability/testing/otlp-logs'
import {
  encodeRequest,
  newSpanId,
  newTraceId,
  toOtlpSpan,
  type TestSpan,
} from '@slipway/observability/testing/otlp'

/** The spans of a trace: an agent, a tool, a request to a server, and two calls of a model. */
export const SPANS_PER_TRACE = 5
/** The log records of a trace whose content is in log records: those of the two calls. */
export const LOGS_PER_TRACE = 2

const QUESTION = 'Where is my parcel? I ordered it two weeks ago, and the shop says that it left.'
const ANSWER =
  'It arrived at the post office near you this morning. You can pick it up until 18:00.'
const CALL = { type: 'tool_call', id: 'call_1', name: 'track', arguments: { order: 'A-1842' } }
const RESULT = '{"order":"A-1842","status":"arrived","office":"Main Street 4"}'
const INPUT_MESSAGES = JSON.stringify([
  { role: 'system', parts: [{ type: 'text', content: 'You help the customers of a shop.' }] },
  { role: 'user', parts: [{ type: 'text', content: QUESTION }] },
  { role: 'assistant', parts: [CALL] },
  { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call_1', response: RESULT }] },
])
const OUTPUT_MESSAGES = JSON.stringify([
  { role: 'assistant', parts: [{ type: 'text', content: ANSWER }], finish_reason: 'stop' },
])

/** Where an instrumentation sends what was said. */
export type Content = 'spans' | 'logs'

/** What is sent of some traces: their spans, and their log records if these have the content. */
export interface SentTraces {
  readonly traceIds: readonly string[]
  readonly spans: Uint8Array<ArrayBuffer>
  readonly logs: Uint8Array<ArrayBuffer> | undefined
}

/** Makes traces as an instrumentation sends them, with messages in spans or in log records. */
export function makeTraces(count: number, content: Content): SentTraces {
  const traces = Array.from({ length: count }, () => makeTrace(newTraceId(), content))
  const logs = content === 'logs' ? traces.flatMap((spans) => spans.slice(3).map(toLog)) : []
  return {
    traceIds: traces.map(([root]) => root?.traceId ?? ''),
    spans: encodeRequest(traces.flat().map(toOtlpSpan)),
    logs: logs.length === 0 ? undefined : encodeLogs(logs),
  }
}

function makeTrace(traceId: string, content: Content): readonly TestSpan[] {
  const startMs = Date.now() - Math.random() * 3_600_000
  const root = newSpanId()
  const attributesOf = [agent, tool, request, model, model]
  return attributesOf.map((attributes, index) => ({
    traceId,
    spanId: index === 0 ? root : newSpanId(),
    parentSpanId: index === 0 ? '' : root,
    name: ['invoke_agent', 'execute_tool', 'POST', 'chat', 'chat'][index] ?? '',
    startMs: startMs + index,
    durationMs: 1000 * Math.random(),
    attributes: attributes(content),
  }))
}

function agent(content: Content) {
  return {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'support',
    'gen_ai.conversation.id': `conversation-${Math.floor(Math.random() * 1000)}`,
    'user.id': `user-${Math.floor(Math.random() * 1000)}`,
    'gen_ai.usage.input_tokens': 642,
    'gen_ai.usage.output_tokens': 90,
    ...(content === 'spans' && { 'input.value': QUESTION, 'output.value': ANSWER }),
  }
}

function tool(content: Content) {
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'track',
    'gen_ai.tool.call.id': 'call_1',
    ...(content === 'spans' && {
      'gen_ai.tool.call.arguments': JSON.stringify(CALL.arguments),
      'gen_ai.tool.call.result': RESULT,
    }),
  }
}

function request() {
  return {
    'http.request.method': 'POST',
    'http.response.status_code': 200,
    'server.address': 'api.example',
    'url.path': '/v1/orders',
  }
}

function model(content: Content) {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-5-mini',
    'gen_ai.response.model': 'gpt-5-mini-2025-08-07',
    'gen_ai.response.id': `response-${newSpanId()}`,
    'gen_ai.response.finish_reasons': '["stop"]',
    'gen_ai.usage.input_tokens': 321,
    'gen_ai.usage.output_tokens': 45,
    'gen_ai.usage.cache_read.input_tokens': 128,
    ...(content === 'spans' && {
      'gen_ai.input.messages': INPUT_MESSAGES,
      'gen_ai.output.messages': OUTPUT_MESSAGES,
    }),
  }
}

function toLog({ traceId, spanId, startMs }: TestSpan): TestLog {
  return {
    traceId,
    spanId,
    event: 'gen_ai.client.inference.operation.details',
    timeMs: startMs,
    eventAttributes: {
      'gen_ai.input.messages': INPUT_MESSAGES,
      'gen_ai.output.messages': OUTPUT_MESSAGES,
    },
  }
}
