import { expect, test } from 'vitest'

import { sentSpan } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'

const agent = (output: object | undefined) =>
  readSpanFacts(
    sentSpan({
      scope: 'openinference.instrumentation.crewai',
      attributes: {
        'openinference.span.kind': 'AGENT',
        'input.value': JSON.stringify({ agent: { role: 'assistant' }, context: '' }),
        ...(output && { 'output.value': JSON.stringify(output) }),
      },
    }),
  )

test('the input of an agent is its task, and never its definition', () => {
  const output = { description: 'Find the umbrella.', raw: 'It is in the hall.' }
  expect(agent(output)).toMatchObject({ input: 'Find the umbrella.', output: 'It is in the hall.' })
  expect(agent(undefined)).toMatchObject({ input: '', output: '' })
})
