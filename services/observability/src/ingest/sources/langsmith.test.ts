import { expect, test } from 'vitest'

import { ASKED, sentSpan, type TestSentSpan } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'

interface Case {
  readonly source: string
  readonly span: TestSentSpan
  readonly shows: object
}

const CASES: readonly Case[] = [
  {
    source: 'LangSmith, a failed run',
    span: {
      scope: 'langsmith',
      status: 'ok',
      attributes: {
        'langsmith.span.kind': 'chain',
        'gen_ai.operation.name': 'chain',
        'gen_ai.prompt': JSON.stringify({ messages: ASKED }),
        'gen_ai.completion': JSON.stringify({ output: 'There.' }),
        'langsmith.metadata.thread_id': 's1',
      },
      events: [{ name: 'exception', attributes: { 'exception.message': 'the model is gone' } }],
    },
    shows: {
      type: 'chain',
      input: 'Where is it?',
      output: 'There.',
      sessionId: 's1',
      isError: true,
      statusMessage: 'the model is gone',
    },
  },
  {
    source: 'LangSmith, a model',
    span: {
      attributes: {
        'langsmith.span.kind': 'llm',
        'langsmith.metadata.ls_provider': 'openai',
        'gen_ai.request.model': 'gpt-5',
        'gen_ai.usage.input_tokens': 12n,
      },
    },
    shows: {
      type: 'model',
      provider: 'openai',
      model: 'gpt-5',
      usage: { of: 'call' },
      isError: false,
    },
  },
]

test.each(CASES)('reads what is sent by $source', ({ span, shows }) => {
  expect(readSpanFacts(sentSpan(span))).toMatchObject(shows)
})
