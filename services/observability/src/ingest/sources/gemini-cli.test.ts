import { expect, test } from 'vitest'

import { messagesOf } from '../../domain/span-messages.ts'
import { sentSpan } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'

function factsOf(operation: string, input: unknown, output: unknown) {
  const attributes = {
    'gen_ai.operation.name': operation,
    'gen_ai.agent.name': 'gemini-cli',
    'gen_ai.conversation.id': 's-1',
    'gen_ai.input.messages': typeof input === 'string' ? input : JSON.stringify(input),
    'gen_ai.output.messages': typeof output === 'string' ? output : JSON.stringify(output),
    ...(operation === 'tool_call' ? { 'gen_ai.tool.name': 'read_file' } : {}),
    ...(operation === 'llm_call' ? { 'gen_ai.request.model': 'gemini-2.5-pro' } : {}),
  }
  return readSpanFacts(sentSpan({ scope: 'gemini-cli', attributes }))
}

const piece = (...parts: readonly object[]) => ({ role: 'model', parts })

test('joins the pieces of a streamed response as they are', () => {
  const contents = [{ role: 'user', parts: [{ text: 'Where is it?' }] }]
  const call = { functionCall: { name: 'read_file', args: { path: 'a' } } }
  const facts = factsOf('llm_call', contents, [
    piece({ text: 'The' }),
    piece({ text: 're.' }),
    piece(call),
  ])
  expect(facts).toMatchObject({
    type: 'model',
    provider: 'gemini',
    model: 'gemini-2.5-pro',
    input: 'Where is it?',
    output: 'There.',
    sessionId: 's-1',
  })
  expect(messagesOf(facts).output).toMatchObject([
    { text: 'There.', calls: [{ name: 'read_file', arguments: '{"path":"a"}' }] },
  ])
})

test('reads a prompt as the run of an agent', () => {
  expect(factsOf('user_prompt', 'Where is it?', 'There.')).toMatchObject({
    type: 'agent',
    input: 'Where is it?',
    output: 'There.',
  })
})

test('reads the call of a tool', () => {
  const request = { callId: 'c', name: 'read_file', args: { path: 'a' } }
  const responseParts = [{ functionResponse: { name: 'read_file', response: { output: 'text' } } }]
  const output = { status: 'success', request, response: { callId: 'c', responseParts } }
  expect(factsOf('tool_call', request, output)).toMatchObject({
    type: 'tool',
    toolName: 'read_file',
    input: '{"path":"a"}',
    output: 'text',
  })
})
