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
    source: 'Mastra, an agent',
    span: {
      attributes: {
        'mastra.span.type': 'agent_run',
        'gen_ai.operation.name': 'invoke_agent',
        'mastra.agent_run.input': JSON.stringify(ASKED),
        'mastra.agent_run.output': JSON.stringify({ text: 'There.', files: [] }),
      },
    },
    shows: { type: 'agent', input: 'Where is it?', output: 'There.' },
  },
]

test.each(CASES)('reads what is sent by $source', ({ span, shows }) => {
  expect(readSpanFacts(sentSpan(span))).toMatchObject(shows)
})
