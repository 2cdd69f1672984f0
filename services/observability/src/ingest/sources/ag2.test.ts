import { expect, test } from 'vitest'

import { sentSpan } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'

const usage = { 'gen_ai.usage.input_tokens': 12n, 'gen_ai.usage.output_tokens': 3n }

test.each([
  { span: 'call of a model', attributes: { 'gen_ai.operation.name': 'chat' }, of: 'call' },
  { span: 'repetition of its tokens', attributes: { 'ag2.usage.kind': 'model_call' }, of: 'total' },
  { span: 'report of other tokens', attributes: { 'ag2.usage.kind': 'compaction' }, of: 'call' },
])('the tokens of a $span are a $of', ({ attributes, of }) => {
  const model = { 'gen_ai.response.model': 'gpt-5', 'ag2.span.type': 'usage' }
  const span = sentSpan({ attributes: { ...attributes, ...model, ...usage } })
  expect(readSpanFacts(span).usage).toMatchObject({ of, inputTokens: 12n, outputTokens: 3n })
})
