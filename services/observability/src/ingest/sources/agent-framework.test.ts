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

test.each([
  ['Anthropic', [1031n, 60n]],
  ['AwsBedrock', [1031n, 60n]],
  ['OpenAI', [1000n, 60n]],
])('so are those of Agno and %s', (provider, [input, output]) => {
  const { usage } = readSpanFacts(
    sentSpan({
      scope: 'openinference.instrumentation.agno',
      attributes: {
        'openinference.span.kind': 'LLM',
        'llm.provider': provider,
        'llm.model_name': 'm',
        'llm.token_count.prompt': 1000n,
        'llm.token_count.completion': 60n,
        'llm.token_count.prompt_details.cache_read': 20n,
        'llm.token_count.prompt_details.cache_write': 11n,
      },
    }),
  )
  expect([usage.inputTokens, usage.outputTokens]).toEqual([input, output])
})
