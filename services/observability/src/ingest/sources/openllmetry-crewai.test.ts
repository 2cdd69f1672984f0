import { expect, test } from 'vitest'

import { sentSpan } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'

const read = (attributes: Record<string, string>) =>
  readSpanFacts(
    sentSpan({ attributes: { 'gen_ai.operation.name': 'invoke_agent', ...attributes } }),
  )

test('a crew has its result, and a task its description', () => {
  const crew = { 'crewai.crew.id': 'c1', 'crewai.crew.result': 'It is sunny.' }
  expect(read(crew)).toMatchObject({ type: 'chain', input: '', output: 'It is sunny.' })
  const task = {
    'traceloop.span.kind': 'task',
    'crewai.task.id': 't1',
    'crewai.task.description': 'How is the weather?',
    'traceloop.entity.output': 'It is sunny.',
  }
  expect(read(task)).toMatchObject({
    type: 'agent',
    input: 'How is the weather?',
    output: 'It is sunny.',
  })
})
