import { expect, test } from 'vitest'

import { sentSpan } from '../../../test/support/sent-span.ts'
import { builtInPrices } from '../../prices/model-prices.ts'
import { readSpanFacts } from './read-span-facts.ts'

const read = (model: string) =>
  readSpanFacts(
    sentSpan({
      scope: 'openinference.instrumentation.openai_agents',
      attributes: {
        'openinference.span.kind': 'LLM',
        'llm.system': 'openai',
        'llm.model_name': model,
        'llm.token_count.prompt': 1_000_000n,
        'llm.token_count.completion': 0n,
      },
    }),
  )

test.each([
  ['gpt-4.1-mini', 'openai', 0.4],
  ['anthropic/claude-sonnet-4-5', 'anthropic', 3],
  ['litellm/anthropic/claude-sonnet-4-5', 'anthropic', 3],
  ['bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'bedrock', 3],
  ['openrouter/anthropic/claude-sonnet-4.5', 'openrouter', 3],
  ['gemini/gemini-2.5-flash', 'gemini', 0.3],
])('the provider of %s is %s, with its price', (name, expected, usd) => {
  const { provider, model, usage } = read(name)
  expect(provider).toBe(expected)
  const cost = builtInPrices.costOf({ provider, model, atNs: 2n ** 62n, ...usage })
  expect(Number(cost)).toBe(usd * 1e9)
})
