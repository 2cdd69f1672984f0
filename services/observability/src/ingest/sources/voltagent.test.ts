import { expect, test } from 'vitest'

import { sentSpan, type TestSentSpan } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'

const read = (attributes: TestSentSpan['attributes']) =>
  readSpanFacts(sentSpan({ scope: '@voltagent/core', ...(attributes && { attributes }) }))

test('an agent has its tokens, its session and what was said', () => {
  const agent = read({
    'agent.state': 'completed',
    'ai.model.name': 'gpt-5',
    'usage.prompt_tokens': 12n,
    'usage.completion_tokens': 3n,
    'usage.cached_tokens': 8n,
    'conversation.id': 's1',
    input: 'Where is it?',
    output: 'There.',
  })
  expect(agent).toMatchObject({ type: 'agent', input: 'Where is it?', output: 'There.' })
  expect(agent).toMatchObject({ model: 'gpt-5', sessionId: 's1' })
  expect(agent.usage).toMatchObject({ of: 'total', inputTokens: 12n, cachedTokens: 8n })
})

test('the tokens of a model are those of its last call, and not counted', () => {
  const model = read({ 'span.type': 'llm', 'llm.usage.prompt_tokens': 5n })
  expect(model).toMatchObject({ type: 'model', usage: { of: 'total', inputTokens: 5n } })
})

test('a tool has its arguments, and not the schema of them', () => {
  const schema = '{"def":{"type":"object"}}'
  const sent = { input: '{"what":"umbrella"}', output: 'There.', 'tool.parameters': schema }
  const tool = read({ 'span.type': 'tool', 'tool.name': 'find', ...sent })
  expect(tool).toMatchObject({ type: 'tool', toolName: 'find', input: sent.input })
  expect(tool).toMatchObject({ output: 'There.' })
})
