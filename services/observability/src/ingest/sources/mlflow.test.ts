import { expect, test } from 'vitest'

import { sentSpan, type TestValue } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'

/** All values of MLflow's attributes are JSON. */
function factsOf(values: Readonly<Record<string, unknown>>, name = '') {
  const attributes = Object.fromEntries(
    Object.entries(values).map(([key, value]): [string, TestValue] => [key, JSON.stringify(value)]),
  )
  return readSpanFacts(sentSpan({ name, attributes }))
}

test('reads the request and the response of a model', () => {
  const facts = factsOf({
    'mlflow.spanType': 'CHAT_MODEL',
    'mlflow.spanInputs': { messages: [{ role: 'user', content: 'Where is it?' }] },
    'mlflow.spanOutputs': {
      id: 'r1',
      choices: [{ finish_reason: 'stop', message: { role: 'assistant', content: 'There.' } }],
      usage: { completion_tokens_details: { reasoning_tokens: 2 } },
    },
    'mlflow.llm.model': 'm-2',
    'mlflow.llm.provider': 'p',
    'mlflow.chat.tokenUsage': { input_tokens: 12, output_tokens: 3, cache_read_input_tokens: 8 },
    'session.id': 's1',
    'user.id': 'u1',
  })
  expect(facts).toMatchObject({
    type: 'model',
    model: 'm-2',
    provider: 'p',
    input: 'Where is it?',
    output: 'There.',
    finishReason: 'stop',
    sessionId: 's1',
    userId: 'u1',
    usage: {
      of: 'call',
      inputTokens: 12n,
      outputTokens: 3n,
      cachedTokens: 8n,
      reasoningTokens: 2n,
    },
  })
})

test('reads a function that is a tool', () => {
  const sent = {
    'mlflow.spanType': 'TOOL',
    'mlflow.spanInputs': { what: 'umbrella' },
    'mlflow.spanOutputs': 'In the hall.',
  }
  const shows = { type: 'tool', input: '{"what":"umbrella"}', output: 'In the hall.' }
  expect(factsOf({ ...sent, 'mlflow.spanFunctionName': 'find' })).toMatchObject({
    ...shows,
    toolName: 'find',
  })
  expect(factsOf(sent, 'find').toolName).toBe('find')
})

test('reads the question and the answer of a function that is an agent', () => {
  const facts = factsOf({
    'mlflow.spanType': 'AGENT',
    'mlflow.spanInputs': { question: 'Where is it?' },
    'mlflow.spanOutputs': 'There.',
  })
  expect(facts).toMatchObject({ type: 'agent', input: 'Where is it?', output: 'There.' })
})

test('reads the thread in the metadata of LangChain', () => {
  const metadata = { thread_id: 't1', user_id: 'u1' }
  const shows = { sessionId: 't1', userId: 'u1' }
  expect(factsOf({ 'mlflow.spanType': 'CHAIN', metadata })).toMatchObject(shows)
})

test.each([null, 7, [], 'x', { choices: 7 }, { choices: [null] }, { choices: [], usage: [] }])(
  'outputs may have any form, case %#',
  (outputs) => {
    const sent = { 'mlflow.spanOutputs': outputs, 'mlflow.chat.tokenUsage': { input_tokens: 'x' } }
    const facts = factsOf({ 'mlflow.spanType': 'LLM', ...sent })
    expect([facts.finishReason, facts.usage.inputTokens]).toEqual(['', 0n])
  },
)
