import type { TestValue } from './sent-span.ts'

/** A span as its sender sends it. Its id is its place in the trace, from 1. */
export interface CaseSpan {
  /** `Gr~` stands for a text that is cut within the character after `Gr`. */
  readonly attributes: Readonly<Record<string, TestValue>>
  readonly parent?: number
  readonly startMs?: number
  /** Negative for a span that ends before it starts. */
  readonly durationMs?: number
}

/** What a sender sends in one trace. */
export interface Case {
  readonly scope?: string
  readonly spans: readonly CaseSpan[]
  /** What is shown of the trace, its tokens and its cost in US dollars. */
  readonly shown: Readonly<Record<string, unknown>>
}

const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' }
const counted = (
  input: number,
  output: number,
  more: Readonly<Record<string, TestValue>> = {},
) => ({
  ...chat,
  'gen_ai.usage.input_tokens': BigInt(input),
  'gen_ai.usage.output_tokens': BigInt(output),
  ...more,
})
const answer = [{ role: 'assistant', parts: [{ type: 'text', content: 'It is 1.5.' }] }]
const withNaN =
  '[{"role":"user","parts":[{"type":"text","content":"What is the mean?"}]},' +
  '{"role":"tool","parts":[{"type":"tool_call_response","id":"c1","response":' +
  '[{"mean":NaN},{"mean":Infinity},{"mean":-Infinity}]}]}]'

/** Inputs that were shown wrong once, here or elsewhere, and what is right. */
export const CASES: Readonly<Record<string, Case>> = {
  'two calls with the same response id': {
    spans: [
      { attributes: { 'gen_ai.operation.name': 'invoke_agent' }, durationMs: 900 },
      ...[
        [100, 10, 50],
        [500, 20, 400],
      ].map(([input = 0, output = 0, startMs = 0]) => ({
        parent: 1,
        startMs,
        durationMs: 100,
        attributes: counted(input, output, { 'gen_ai.response.id': 'chatcmpl-7' }),
      })),
    ],
    shown: { inputTokens: 600n, outputTokens: 30n },
  },
  'one call that two instrumentations report': {
    spans: [
      { attributes: { 'gen_ai.operation.name': 'invoke_agent' }, durationMs: 900 },
      ...[50, 55].map((startMs) => ({
        parent: 1,
        startMs,
        durationMs: 300,
        attributes: counted(100, 10, { 'gen_ai.response.id': 'chatcmpl-8' }),
      })),
    ],
    shown: { inputTokens: 100n, outputTokens: 10n },
  },
  "the AI SDK's input of Anthropic without cached tokens": {
    scope: 'ai',
    spans: [
      {
        attributes: {
          'ai.operationId': 'ai.generateText.doGenerate',
          'ai.model.provider': 'anthropic.messages',
          'ai.model.id': 'claude-sonnet-4-5-20250929',
          'gen_ai.system': 'anthropic.messages',
          'gen_ai.request.model': 'claude-sonnet-4-5-20250929',
          'ai.usage.inputTokens': 7n,
          'ai.usage.outputTokens': 30n,
          'ai.usage.cachedInputTokens': 90_000n,
          'gen_ai.usage.input_tokens': 7n,
          'gen_ai.usage.output_tokens': 30n,
        },
      },
    ],
    shown: { inputTokens: 90_007n, cachedTokens: 90_000n, costUsd: 0.027471 },
  },
  'fewer input than cached tokens': {
    spans: [{ attributes: counted(7, 3, { 'gen_ai.usage.cache_read.input_tokens': 10_000n }) }],
    shown: { inputTokens: 10_007n, cachedTokens: 10_000n, outputTokens: 3n },
  },
  "Gemini's thoughts in ADK": {
    scope: 'gcp.vertex.agent',
    spans: [
      {
        attributes: {
          'gen_ai.system': 'gcp.vertex.agent',
          'gen_ai.request.model': 'gemini-2.5-flash',
          'gcp.vertex.agent.llm_request': JSON.stringify({
            model: 'gemini-2.5-flash',
            contents: [{ role: 'user', parts: [{ text: 'Why?' }] }],
          }),
          'gcp.vertex.agent.llm_response': JSON.stringify({
            content: { role: 'model', parts: [{ text: 'So.' }] },
            usage_metadata: {
              prompt_token_count: 200,
              candidates_token_count: 40,
              thoughts_token_count: 600,
              total_token_count: 840,
            },
          }),
          'gen_ai.usage.input_tokens': 200n,
          'gen_ai.usage.output_tokens': 40n,
          'gen_ai.usage.experimental.reasoning_tokens': 600n,
        },
      },
    ],
    shown: {
      input: 'Why?',
      output: 'So.',
      outputTokens: 640n,
      reasoningTokens: 600n,
      costUsd: 0.00166,
    },
  },
  'a list with nothing in it': {
    spans: [{ attributes: counted(10, 2, { list: [null, 'a', [null, { key: null }]] }) }],
    shown: { inputTokens: 10n, outputTokens: 2n },
  },
  'text that is cut within a character': {
    spans: [{ attributes: { ...chat, 'gen_ai.output.messages': 'Gr~' } }],
    shown: { output: 'Gr\uFFFD' },
  },
  'numbers of Python that JSON lacks': {
    spans: [
      {
        attributes: {
          ...chat,
          'gen_ai.input.messages': withNaN,
          'gen_ai.output.messages': JSON.stringify(answer),
        },
      },
    ],
    shown: { input: 'What is the mean?', output: 'It is 1.5.' },
  },
  "Langfuse's usage without a total": {
    spans: [
      {
        attributes: {
          'langfuse.observation.type': 'generation',
          'langfuse.observation.model.name': 'claude-sonnet-4-5-20250929',
          'langfuse.observation.usage_details':
            '{"input":7,"output":30,"cache_read_input_tokens":90000}',
        },
      },
    ],
    shown: { inputTokens: 90_007n, cachedTokens: 90_000n, costUsd: 0.027471 },
  },
  'a span that ends before it starts': {
    spans: [{ attributes: counted(11, 2), durationMs: -5000 }],
    shown: { inputTokens: 11n, outputTokens: 2n, latencyMs: 0 },
  },
  'a span that is its own parent': {
    spans: [{ attributes: counted(12, 2), parent: 1 }],
    shown: { inputTokens: 12n, outputTokens: 2n, models: ['gpt-4o'] },
  },
}
