import { expect, test } from 'vitest'

import { ANSWERED, sentSpan, type TestSentSpan } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'

interface Case {
  readonly source: string
  readonly span: TestSentSpan
  readonly shows: object
}

const CASES: readonly Case[] = [
  {
    source: 'Pydantic AI, an agent',
    span: {
      scope: 'pydantic-ai',
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.aggregated_usage.input_tokens': 24n,
        'gen_ai.aggregated_usage.output_tokens': 6n,
        'pydantic_ai.all_messages': JSON.stringify([
          { role: 'user', parts: [{ type: 'text', content: 'Where is it?' }] },
          { role: 'user', parts: [{ type: 'tool_call_response', id: 'c', result: '42' }] },
          ...ANSWERED,
        ]),
        final_result: 'There.',
      },
    },
    shows: {
      type: 'agent',
      input: 'Where is it?',
      output: 'There.',
      usage: { of: 'total', inputTokens: 24n, outputTokens: 6n },
    },
  },
  {
    source: 'Pydantic AI, a tool of an earlier format',
    span: {
      scope: 'pydantic-ai',
      attributes: { 'gen_ai.tool.name': 'find', tool_arguments: '{"x":1}', tool_response: '42' },
    },
    shows: { type: 'tool', toolName: 'find', input: '{"x":1}', output: '42' },
  },
]

test.each(CASES)('reads what is sent by $source', ({ span, shows }) => {
  expect(readSpanFacts(sentSpan(span))).toMatchObject(shows)
})
