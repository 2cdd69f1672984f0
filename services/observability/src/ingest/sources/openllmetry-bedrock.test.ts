import { expect, test } from 'vitest'

import { sentSpan } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'

test('adds the tokens of caches to an input that is larger', () => {
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'aws.bedrock',
    'gen_ai.usage.input_tokens': 4_531n,
    'gen_ai.usage.output_tokens': 77n,
    'gen_ai.usage.total_tokens': 4_608n,
    'gen_ai.usage.cache_read.input_tokens': 300n,
    'gen_ai.usage.cache_creation.input_tokens': 200n,
  }
  const scope = 'opentelemetry.instrumentation.bedrock'
  const { usage } = readSpanFacts(sentSpan({ scope, attributes }))
  expect(usage).toMatchObject({ inputTokens: 5_031n, cachedTokens: 300n, cacheWrittenTokens: 200n })
})
