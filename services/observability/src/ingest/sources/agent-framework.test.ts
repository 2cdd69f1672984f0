import { expect, test } from 'vitest'

import { sentSpan } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'

test.each([
  ['anthropic', 'claude-sonnet-4-5', [1031n, 60n]],
  ['aws.bedrock', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0', [1031n, 60n]],
  ['gcp.gemini', 'gemini-2.5-flash', [1000n, 65n]],
  ['openai', 'gpt-5', [1000n, 60n]],
  ['openai', 'anthropic/claude-sonnet-4.5', [1000n, 60n]],
  ['microsoft.agent_framework', 'claude-sonnet-4-5', [1031n, 60n]],
])('the tokens of %s and %s are complete', (provider, model, [input, output]) => {
  const { usage } = readSpanFacts(
    sentSpan({
      scope: 'agent_framework',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': provider,
        'gen_ai.response.model': model,
        'gen_ai.usage.input_tokens': 1000n,
        'gen_ai.usage.output_tokens': 60n,
        'gen_ai.usage.cache_read.input_tokens': 20n,
        'gen_ai.usage.cache_creation.input_tokens': 11n,
        'gen_ai.usage.reasoning.output_tokens': 5n,
      },
    }),
  )
  expect([usage.inputTokens, usage.outputTokens]).toEqual([input, output])
})
