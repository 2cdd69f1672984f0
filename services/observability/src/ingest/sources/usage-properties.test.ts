import fc from 'fast-check'
import { expect, test } from 'vitest'

import { sentSpan, type TestValue } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'
import type { Usage } from './span-facts.ts'

type Numbers = Omit<Usage, 'of'>

interface Sent extends Numbers {
  readonly totalTokens: bigint
}

/** How senders name the numbers of a call. */
const SENDERS: Readonly<Record<string, (sent: Sent) => Readonly<Record<string, TestValue>>>> = {
  conventions: (sent) => ({
    'gen_ai.operation.name': 'chat',
    'gen_ai.usage.input_tokens': sent.inputTokens,
    'gen_ai.usage.output_tokens': sent.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': sent.cachedTokens,
    'gen_ai.usage.cache_creation.input_tokens': sent.cacheWrittenTokens,
    'gen_ai.usage.reasoning.output_tokens': sent.reasoningTokens,
    'gen_ai.usage.total_tokens': sent.totalTokens,
  }),
  OpenInference: (sent) => ({
    'openinference.span.kind': 'LLM',
    'llm.token_count.prompt': sent.inputTokens,
    'llm.token_count.completion': sent.outputTokens,
    'llm.token_count.prompt_details.cache_read': sent.cachedTokens,
    'llm.token_count.prompt_details.cache_write': sent.cacheWrittenTokens,
    'llm.token_count.completion_details.reasoning': sent.reasoningTokens,
    'llm.token_count.total': sent.totalTokens,
  }),
  "Vercel's AI SDK": (sent) => ({
    'ai.operationId': 'ai.streamText.doStream',
    'ai.usage.inputTokens': sent.inputTokens,
    'ai.usage.outputTokens': sent.outputTokens,
    'ai.usage.cachedInputTokens': sent.cachedTokens,
    'ai.usage.inputTokenDetails.noCacheTokens': 0n,
    'ai.usage.inputTokenDetails.cacheWriteTokens': sent.cacheWrittenTokens,
    'ai.usage.reasoningTokens': sent.reasoningTokens,
    'ai.usage.totalTokens': sent.totalTokens,
  }),
  Langfuse: (sent) => ({
    'langfuse.observation.type': 'generation',
    'langfuse.observation.usage_details': JSON.stringify({
      input: Number(sent.inputTokens),
      output: Number(sent.outputTokens),
      input_cache_read: Number(sent.cachedTokens),
      input_cache_creation: Number(sent.cacheWrittenTokens),
      output_reasoning: Number(sent.reasoningTokens),
      total: Number(sent.totalTokens),
    }),
  }),
}
const senders = Object.entries(SENDERS)

const PROVIDERS = ['anthropic', 'aws.bedrock', 'openai', 'azure', 'gcp.gemini', 'ollama', '']

function read(attributes: Readonly<Record<string, TestValue>>, provider: string): Usage {
  return readSpanFacts(sentSpan({ attributes: { ...attributes, 'gen_ai.system': provider } })).usage
}

const count = fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 200_000n }))

/** What a provider bills: parts, which differ so that their sums show which ones a total has. */
const billed = fc
  .record({ plain: count, cached: count, written: count, said: count, thought: count })
  .map(({ plain, cached, written, said, thought }) => ({
    inputTokens: plain + cached + written + 1n,
    outputTokens: said + thought,
    cachedTokens: cached,
    cacheWrittenTokens: written,
    reasoningTokens: thought,
  }))
  .filter(({ cachedTokens, cacheWrittenTokens, reasoningTokens }) => {
    const cache = cachedTokens + cacheWrittenTokens
    return cache === 0n || reasoningTokens === 0n || cache !== reasoningTokens
  })

test.each(senders)('%s: a total shows what the input and the output include', (_, attributesOf) => {
  fc.assert(
    fc.property(
      billed,
      fc.constantFrom(...PROVIDERS),
      fc.boolean(),
      fc.boolean(),
      (bill, provider, isInputApart, isOutputApart) => {
        const { cachedTokens, cacheWrittenTokens, reasoningTokens, ...whole } = bill
        const cache = cachedTokens + cacheWrittenTokens
        const sent = {
          ...bill,
          inputTokens: isInputApart ? whole.inputTokens - cache : whole.inputTokens,
          outputTokens: isOutputApart ? whole.outputTokens - reasoningTokens : whole.outputTokens,
          totalTokens: whole.inputTokens + whole.outputTokens,
        }
        expect(read(attributesOf(sent), provider)).toMatchObject(bill)
      },
    ),
  )
})

const any = fc.oneof(count, fc.bigInt({ min: 0n, max: 2n ** 52n }))

test.each(senders)('%s: whatever is sent, a part is in the whole', (_, attributesOf) => {
  fc.assert(
    fc.property(
      fc.record({
        inputTokens: any,
        outputTokens: any,
        cachedTokens: any,
        cacheWrittenTokens: any,
        reasoningTokens: any,
        totalTokens: any,
      }),
      fc.constantFrom(...PROVIDERS),
      (sent, provider) => {
        const usage = read(attributesOf(sent), provider)
        const cache = usage.cachedTokens + usage.cacheWrittenTokens
        expect(usage.inputTokens).toBeGreaterThanOrEqual(cache)
        expect(usage.outputTokens).toBeGreaterThanOrEqual(usage.reasoningTokens)
        expect(usage.inputTokens).toBeGreaterThanOrEqual(sent.inputTokens)
        expect(usage.outputTokens).toBeGreaterThanOrEqual(sent.outputTokens)
      },
    ),
  )
})
