import { expect, test } from 'vitest'

import { sentSpan, type TestValue } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'

function usageOf(attributes: Readonly<Record<string, TestValue>>, scope = '') {
  const { usage } = readSpanFacts(sentSpan({ scope, attributes }))
  const { inputTokens, outputTokens, cachedTokens, cacheWrittenTokens, reasoningTokens } = usage
  return [inputTokens, outputTokens, cachedTokens, cacheWrittenTokens, reasoningTokens].map(Number)
}

const chat = (provider: string, numbers: Readonly<Record<string, number>>) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': provider,
  ...Object.fromEntries(
    Object.entries(numbers).map(([key, value]) => [`gen_ai.usage.${key}`, BigInt(value)]),
  ),
})
const input = (tokens: number) => ({ input_tokens: tokens, output_tokens: 20 })
const read = (tokens: number) => ({ 'cache_read.input_tokens': tokens })
const written = (tokens: number) => ({ 'cache_creation.input_tokens': tokens })
const total = (tokens: number) => ({ total_tokens: tokens })

test.each([
  ['input below cached', 'anthropic', { ...input(7), ...read(10_000) }, [10_007, 20, 10_000, 0, 0]],
  [
    'input below read and written together',
    'anthropic',
    { ...input(50), ...read(30), ...written(1_000) },
    [1_080, 20, 30, 1_000, 0],
  ],
  ['an input with all', 'anthropic', { ...input(500), ...read(300) }, [500, 20, 300, 0, 0]],
  [
    'a total with what was read and written next to the input',
    'aws.bedrock',
    { ...input(500), ...read(300), ...written(100), ...total(920) },
    [900, 20, 300, 100, 0],
  ],
  [
    'a total with more than the input and output of Bedrock',
    'aws.bedrock',
    { ...input(108), ...total(2_048) },
    [2_028, 20, 0, 0, 0],
  ],
  [
    'a total that is the sum',
    'openai',
    { ...input(31), ...read(16), ...total(51) },
    [31, 20, 16, 0, 0],
  ],
  ['a total that is too low', 'openai', { ...input(31), ...total(7) }, [31, 20, 0, 0, 0]],
  ['a total that fits nothing', 'openai', { ...input(31), ...total(99) }, [31, 20, 0, 0, 0]],
  [
    'thoughts only in the total',
    'gcp.gemini',
    { ...input(100), ...total(248) },
    [100, 148, 0, 0, 128],
  ],
  [
    'thoughts only in the total, and fewer than cached tokens',
    'gcp.gen_ai',
    { ...input(2_028), ...read(1_000), ...total(2_176) },
    [2_028, 148, 1_000, 0, 128],
  ],
  [
    'thoughts among the details',
    'google',
    { input_tokens: 100, output_tokens: 148, 'details.thoughts_tokens': 128 },
    [100, 148, 0, 0, 128],
  ],
  [
    'thoughts next to the output',
    'gemini',
    { ...input(100), reasoning_tokens: 5, ...total(125) },
    [100, 25, 0, 0, 5],
  ],
  [
    'more thoughts than output',
    '',
    { ...input(100), reasoning_tokens: 800 },
    [100, 820, 0, 0, 800],
  ],
  ['thoughts in the output', 'openai', { ...input(100), reasoning_tokens: 8 }, [100, 20, 0, 0, 8]],
  [
    'all next to each other',
    'gemini',
    { ...input(100), ...read(50), reasoning_tokens: 5, ...total(175) },
    [150, 25, 50, 0, 5],
  ],
])('reads %s', (_, provider, numbers, tokens) => {
  expect(usageOf(chat(provider, numbers))).toEqual(tokens)
})

const call = (provider: string, numbers: Readonly<Record<string, number>>, metadata?: unknown) => ({
  'ai.operationId': 'ai.streamText.doStream',
  'ai.model.provider': provider,
  ...Object.fromEntries(
    Object.entries(numbers).map(([key, value]) => [`ai.usage.${key}`, BigInt(value)]),
  ),
  ...(metadata === undefined ? {} : { 'ai.response.providerMetadata': JSON.stringify(metadata) }),
})
const anthropic = (usage: object) => ({ anthropic: { usage, cacheCreationInputTokens: null } })

test.each([
  [
    'version 4, Anthropic',
    {
      ...call(
        'anthropic.messages',
        { promptTokens: 500, completionTokens: 20 },
        { anthropic: { cacheReadInputTokens: 300, cacheCreationInputTokens: 9 } },
      ),
      'ai.prompt.format': 'prompt',
    },
    [809, 20, 300, 9, 0],
  ],
  [
    'version 5, Anthropic, as a stream',
    call('anthropic.messages', { inputTokens: 500, outputTokens: 20, cachedInputTokens: 300 }),
    [800, 20, 300, 0, 0],
  ],
  [
    'version 5, Anthropic, with caches in the metadata only',
    call(
      'anthropic.messages',
      { promptTokens: 500, completionTokens: 20 },
      anthropic({
        input_tokens: 500,
        cache_read_input_tokens: 300,
        cache_creation_input_tokens: 9,
      }),
    ),
    [809, 20, 300, 9, 0],
  ],
  [
    'version 6, Anthropic, whose input includes them',
    call(
      'anthropic.messages',
      { promptTokens: 809, completionTokens: 20 },
      anthropic({
        input_tokens: 500,
        cache_read_input_tokens: 300,
        cache_creation_input_tokens: 9,
      }),
    ),
    [809, 20, 300, 9, 0],
  ],
  [
    'version 6 as a stream',
    call('anthropic.messages', {
      inputTokens: 800,
      outputTokens: 20,
      cachedInputTokens: 300,
      'inputTokenDetails.noCacheTokens': 500,
    }),
    [800, 20, 300, 0, 0],
  ],
  [
    'version 5, Bedrock',
    call(
      'amazon-bedrock',
      { inputTokens: 500, outputTokens: 20, cachedInputTokens: 300 },
      { bedrock: { usage: { cacheWriteInputTokens: 9 } } },
    ),
    [809, 20, 300, 9, 0],
  ],
  [
    'version 5, Gemini',
    call(
      'google.generative-ai',
      { inputTokens: 100, outputTokens: 20, totalTokens: 125 },
      {
        google: { usageMetadata: { thoughtsTokenCount: 5 } },
      },
    ),
    [100, 25, 0, 0, 5],
  ],
  [
    'version 5, OpenAI',
    call('openai.responses', { inputTokens: 500, outputTokens: 20, cachedInputTokens: 300 }),
    [500, 20, 300, 0, 0],
  ],
])('reads the usage of the AI SDK: %s', (_, attributes, tokens) => {
  expect(usageOf(attributes)).toEqual(tokens)
})

const langfuse = (details: object) => ({
  'langfuse.observation.type': 'generation',
  'langfuse.observation.usage_details': JSON.stringify(details),
})

test.each([
  [{ input: 5, output: 20, cache_read_input_tokens: 128_955 }, [128_960, 20, 128_955, 0, 0]],
  [{ input: 500, output: 20, cache_read_input_tokens: 300 }, [800, 20, 300, 0, 0]],
  [{ input_tokens: 500, output_tokens: 20, cache_creation_input_tokens: 9 }, [509, 20, 0, 9, 0]],
  [{ input: 500, output: 20, cache_read_input_tokens: 300, total: 520 }, [500, 20, 300, 0, 0]],
])('reads the flat usage of Langfuse, case %#', (details, tokens) => {
  expect(usageOf(langfuse(details))).toEqual(tokens)
})

test.each([
  [100, 50, 950],
  [100, 900, undefined],
])('reads thoughts in the response of the ADK, case %#', (prompt, candidates, all) => {
  const metadata = {
    prompt_token_count: prompt,
    candidates_token_count: candidates,
    thoughts_token_count: 800,
    total_token_count: all ?? prompt + candidates + 800,
  }
  const attributes = {
    'gcp.vertex.agent.llm_request': '{"model":"gemini-2.5-flash"}',
    'gcp.vertex.agent.llm_response': JSON.stringify({ usage_metadata: metadata }),
    'gen_ai.usage.input_tokens': BigInt(prompt),
    'gen_ai.usage.output_tokens': BigInt(candidates),
  }
  expect(usageOf(attributes, 'gcp.vertex.agent')).toEqual([prompt, candidates + 800, 0, 0, 800])
})

test('reads what Bedrock counts next to the input in OpenInference', () => {
  const numbers = {
    'llm.token_count.prompt': 108n,
    'llm.token_count.completion': 20n,
    'llm.token_count.total': 2_048n,
    'llm.token_count.prompt_details.cache_read': 1_000n,
    'llm.token_count.prompt_details.cache_write': 920n,
  }
  const tokens = usageOf({ 'openinference.span.kind': 'LLM', ...numbers })
  expect(tokens).toEqual([2_028, 20, 1_000, 920, 0])
})

test('reads what Anthropic counts next to the input in MLflow', () => {
  const usage = { input_tokens: 500, output_tokens: 20, cache_read_input_tokens: 300 }
  const attributes = {
    'mlflow.spanType': '"CHAT_MODEL"',
    'mlflow.chat.tokenUsage': JSON.stringify({ ...usage, total_tokens: 520 }),
    'mlflow.spanOutputs': JSON.stringify({ usage }),
  }
  expect(usageOf(attributes)).toEqual([800, 20, 300, 0, 0])
})
