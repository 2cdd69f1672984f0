import { expect, test } from 'vitest'

import { sentSpan, type TestValue } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'

function usageOf(attributes: Readonly<Record<string, TestValue>>, scope = '') {
  const { usage } = readSpanFacts(sentSpan({ scope, attributes }))
  const { inputTokens, outputTokens, cachedTokens, reasoningTokens } = usage
  return [inputTokens, outputTokens, cachedTokens, reasoningTokens].map(Number)
}

const sums = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.usage.input_tokens': 31n,
  'gen_ai.usage.output_tokens': 13n,
}

test.each([
  [{ completion_tokens_details: { reasoning_tokens: 5 } }, [31, 13, 0, 5]],
  [{ output_tokens_details: { reasoning_tokens: 5 } }, [31, 13, 0, 5]],
  [{ prompt_tokens_details: { cached_tokens: 16 } }, [31, 13, 16, 0]],
  [{ prompt_tokens_details: null, input_tokens_details: [] }, [31, 13, 0, 0]],
  [{ completion_tokens_details: { reasoning_tokens: -5 } }, [31, 13, 0, 0]],
  ['many', [31, 13, 0, 0]],
])('Logfire sends reasoning tokens only as the API returned them, case %#', (raw, tokens) => {
  expect(usageOf({ ...sums, 'gen_ai.usage.raw': JSON.stringify(raw) })).toEqual(tokens)
})

test.each([
  [
    "{'completion_tokens': 13, 'completion_tokens_details': {'reasoning_tokens': 5}, " +
      "'prompt_tokens_details': {'cached_tokens': 16, 'audio_tokens': None}}",
    [31, 13, 16, 5],
  ],
  ["{'completion_tokens_details': None, 'prompt_tokens_details': None}", [31, 13, 0, 0]],
  ["{'cached_tokens': 99999999999999999999}", [31, 13, 0, 0]],
  ['None', [31, 13, 0, 0]],
])('LiteLLM sends details of tokens as the text of a dictionary, case %#', (object, tokens) => {
  expect(usageOf({ ...sums, 'metadata.usage_object': object }, 'litellm')).toEqual(tokens)
})

test.each([
  ['counts each token once', { total: 44, input: 15, output: 8 }, [31, 13, 16, 5]],
  ['includes cached and reasoning ones', { total: 44, input: 31, output: 13 }, [31, 13, 16, 5]],
  ['has no total', { input: 31, output: 13 }, [31, 13, 16, 5]],
])('reads details of Langfuse whose sum %s', (_, sent, tokens) => {
  const details = { ...sent, input_cached_tokens: 16, output_reasoning_tokens: 5 }
  expect(
    usageOf({
      'langfuse.observation.type': 'generation',
      'langfuse.observation.usage_details': JSON.stringify(details),
    }),
  ).toEqual(tokens)
})
