import fc from 'fast-check'
import { expect, test } from 'vitest'

import { messagesOf } from '../../domain/span-messages.ts'
import { sentSpan, type TestValue } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'
import { EVENTS } from './span-contents.ts'

const MAX_BYTES = 16 * 1024

const KEYS = [
  'ai.model.id',
  'ai.model.provider',
  'ai.operationId',
  'ai.prompt',
  'ai.prompt.messages',
  'ai.response.id',
  'ai.response.object',
  'ai.response.text',
  'ai.response.toolCalls',
  'ai.telemetry.metadata.sessionId',
  'ai.telemetry.metadata.userId',
  'ai.toolCall.args',
  'ai.toolCall.name',
  'ai.toolCall.result',
  'ai.usage.cachedInputTokens',
  'ai.usage.inputTokens',
  'ai.usage.outputTokens',
  'ai.usage.promptTokens',
  'ai.usage.tokens',
  'ai.values',
  'error.type',
  'exception.message',
  'exception.type',
  'final_result',
  'gcp.vertex.agent.llm_request',
  'gcp.vertex.agent.llm_response',
  'gcp.vertex.agent.session_id',
  'gcp.vertex.agent.tool_call_args',
  'gcp.vertex.agent.tool_response',
  'gen_ai.aggregated_usage.input_tokens',
  'gen_ai.aggregated_usage.output_tokens',
  'gen_ai.completion',
  'gen_ai.completion.0.role',
  'gen_ai.completion.0.tool_calls.0.arguments',
  'gen_ai.completion.0.tool_calls.0.name',
  'gen_ai.conversation.id',
  'gen_ai.event.content',
  'gen_ai.input.messages',
  'gen_ai.operation.name',
  'gen_ai.output.messages',
  'gen_ai.prompt',
  'gen_ai.prompt.0.content',
  'gen_ai.prompt.0.role',
  'gen_ai.prompt.1.content',
  'gen_ai.prompt.1.role',
  'gen_ai.provider.name',
  'gen_ai.request.model',
  'gen_ai.response.id',
  'gen_ai.system',
  'gen_ai.tool.name',
  'gen_ai.usage.cache_read.input_tokens',
  'gen_ai.usage.cache_read_input_tokens',
  'gen_ai.usage.input_tokens',
  'gen_ai.usage.output_tokens',
  'gen_ai.usage.prompt_tokens',
  'http.request.method',
  'input.value',
  'langfuse.observation.input',
  'langfuse.observation.model.name',
  'langfuse.observation.output',
  'langfuse.observation.type',
  'langfuse.observation.usage_details',
  'langfuse.session.id',
  'langfuse.user.id',
  'langsmith.metadata.ls_provider',
  'langsmith.metadata.thread_id',
  'langsmith.span.kind',
  'llm.input_messages.0.message.content',
  'llm.input_messages.0.message.role',
  'llm.input_messages.1.message.contents.0.message_content.text',
  'llm.input_messages.1.message.contents.0.message_content.type',
  'llm.input_messages.1.message.role',
  'llm.model_name',
  'llm.output_messages.0.message.role',
  'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments',
  'llm.output_messages.0.message.tool_calls.0.tool_call.function.name',
  'llm.provider',
  'llm.request.type',
  'llm.token_count.completion',
  'llm.token_count.completion_details.reasoning',
  'llm.token_count.prompt',
  'mastra.agent_run.input',
  'mastra.agent_run.output',
  'mastra.span.type',
  'openinference.span.kind',
  'output.value',
  'pydantic_ai.all_messages',
  'session.id',
  'tool.name',
  'tool_arguments',
  'gen_ai.response.finish_reasons',
  'gen_ai.response.time_to_first_chunk',
  'langfuse.observation.cost_details',
  'mastra.completion_start_time',
  'mastra.model_generation.output',
  'operation.cost',
  'traceloop.association.properties.session_id',
  'traceloop.entity.input',
  'traceloop.entity.name',
  'traceloop.entity.output',
  'traceloop.span.kind',
  'gen_ai.usage.raw',
  'input_tokens',
  'metadata.usage_object',
  'mlflow.chat.tokenUsage',
  'mlflow.spanInputs',
  'mlflow.spanOutputs',
  'mlflow.spanType',
  'new_context',
  'response.model_output',
  'span.type',
  'tool_input',
  'user_prompt',
]
const SCOPES = [
  '',
  'com.anthropic.claude_code.tracing',
  'gcp.vertex.agent',
  'litellm',
  'openinference.instrumentation.crewai',
  'openinference.instrumentation.llama_index',
  'opentelemetry.instrumentation.llamaindex',
  'pydantic-ai',
  'strands.telemetry.tracer',
  '@arizeai/openinference-instrumentation-langchain',
  '@traceloop/instrumentation-openai',
]
const NAMES = [
  'tool.output',
  'exception',
  'gen_ai.choice',
  'gen_ai.user.message',
  'gen_ai.tool.message',
]

const plain: fc.Arbitrary<TestValue> = fc.oneof(
  fc.string(),
  fc.double(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('user', 'assistant', 'tool', 'text', 'LLM', 'ai.toolCall', '__proto__'),
)
const fields = [
  'toString',
  'role',
  'content',
  'parts',
  'type',
  'text',
  'kwargs',
  'lc',
  'messages',
  'output',
]
const structured = fc.letrec<{ tree: TestValue }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    plain,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...fields, 'tool_calls', 'function', 'modality'), tie('tree'), {
      maxKeys: 4,
    }),
  ),
})).tree
const attributes = fc.dictionary(
  fc.constantFrom(...KEYS),
  fc.oneof(plain, structured, structured.map(toJson)),
  { maxKeys: 8 },
)

test('whatever a sender sends is read without an exception and within bounds', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...SCOPES),
      attributes,
      fc.array(fc.record({ name: fc.constantFrom(...NAMES), attributes }), { maxLength: 3 }),
      (scope, own, events) => {
        const facts = readSpanFacts(sentSpan({ scope, attributes: own, events }))
        expect(Buffer.byteLength(facts.input)).toBeLessThanOrEqual(MAX_BYTES)
        for (const text of [facts.input, facts.output, facts.model, facts.statusMessage])
          expect(typeof text).toBe('string')
        const { usage } = facts
        const cache = usage.cachedTokens + usage.cacheWrittenTokens
        expect(usage.inputTokens).toBeGreaterThanOrEqual(cache)
        expect(usage.outputTokens).toBeGreaterThanOrEqual(usage.reasoningTokens)
        expect(facts.costNanoUsd).toBeGreaterThanOrEqual(0n)
        expect(facts.firstTokenNs).toBeGreaterThanOrEqual(0n)
        expect(facts.finishReason.length).toBeLessThanOrEqual(256)
        const { input, output } = messagesOf(facts)
        for (const message of [...input, ...output])
          expect(message.role).toMatch(/^(user|assistant|system|tool)$/)
      },
    ),
    { numRuns: 500 },
  )
})

test('deep nesting and megabytes are bounded', () => {
  const deep = '['.repeat(500_000) + ']'.repeat(500_000)
  const many = `[${'{"role":"user","content":"x"},'.repeat(200_000)}0]`
  const call = `[{"role":"user","content":[{"functionResponse":{"output":${nested(90_000)}}}]}]`
  for (const text of [deep, many, `{"messages":${deep}}`, call]) {
    const { input } = readSpanFacts(sentSpan({ attributes: { 'gen_ai.input.messages': text } }))
    expect(Buffer.byteLength(input)).toBeLessThanOrEqual(MAX_BYTES)
  }
})

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth)
}

function toJson(value: TestValue): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'bigint' ? Number(each) : each,
  )
}

test('parses at most 100,000 JSON values in all attributes and events of a span', () => {
  const long = JSON.stringify([{ role: 'user', content: 'Why?' }, ...Array<number>(30_000).fill(1)])
  const events = Array.from({ length: 5 }, () => ({
    name: 'thought',
    attributes: { 'gen_ai.input.messages': long },
  }))
  const span = sentSpan({ attributes: { 'input.value': long }, events })
  const readings = Array.from({ length: 3 }, () =>
    (['input.value', EVENTS] as const).flatMap((place) =>
      span.messages(place, 'input').map(({ text }) => (text === long ? 'text' : text)),
    ),
  )
  const read = ['Why?', 'Why?', 'Why?', 'text', 'text', 'text']
  expect(readings).toEqual([read, read, read])
})
