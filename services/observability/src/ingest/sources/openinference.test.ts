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
    source: 'OpenInference, a model',
    span: {
      attributes: {
        'openinference.span.kind': 'LLM',
        'llm.model_name': 'gpt-5',
        'llm.provider': 'openai',
        'input.value': JSON.stringify({ messages: ASKED }),
        'output.value': JSON.stringify({
          choices: [{ message: { role: 'assistant', content: 'There.' } }],
        }),
        'llm.input_messages.0.message.role': 'system',
        'llm.input_messages.0.message.content': 'Be kind.',
        'llm.input_messages.1.message.role': 'user',
        'llm.input_messages.1.message.contents.0.message_content.type': 'text',
        'llm.input_messages.1.message.contents.0.message_content.text': 'Where is it?',
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'find',
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': '{"x":1}',
        'llm.token_count.prompt': 12n,
        'llm.token_count.completion': 3n,
        'llm.token_count.completion_details.reasoning': 2n,
        'session.id': 's1',
      },
    },
    shows: {
      type: 'model',
      model: 'gpt-5',
      provider: 'openai',
      input: 'Where is it?',
      output: 'find({"x":1})',
      sessionId: 's1',
      usage: { of: 'call', inputTokens: 12n, outputTokens: 3n, reasoningTokens: 2n },
    },
  },
  {
    source: 'OpenInference, a chain of LangChain',
    span: {
      attributes: {
        'openinference.span.kind': 'CHAIN',
        'input.value': JSON.stringify({ messages: [{ type: 'human', content: 'Where is it?' }] }),
        'output.value': JSON.stringify({
          messages: [
            { type: 'human', content: 'x' },
            { type: 'ai', content: 'There.' },
          ],
        }),
      },
    },
    shows: { type: 'chain', input: 'Where is it?', output: 'There.' },
  },
  {
    source: 'OpenInference, a tool',
    span: {
      attributes: {
        'openinference.span.kind': 'TOOL',
        'tool.name': 'find',
        'input.value': '{"x":1}',
        'output.value': JSON.stringify({
          type: 'tool',
          content: '42',
          name: 'find',
          tool_call_id: 'c',
        }),
      },
    },
    shows: { type: 'tool', toolName: 'find', input: '{"x":1}', output: '42' },
  },
  {
    source: 'OpenInference, objects of Python in place of messages',
    span: {
      attributes: {
        'openinference.span.kind': 'AGENT',
        'input.value': JSON.stringify({
          messages: ["id='1' source='user' content='Where is it?' type='TextMessage'"],
          cancellation_token: '<object at 0x7f>',
        }),
        'output.value': JSON.stringify({ replies: ["ChatMessage(_role='assistant')"] }),
      },
    },
    shows: { type: 'agent', input: '', output: '' },
  },
  {
    source: 'OpenInference, texts in place of messages',
    span: {
      attributes: {
        'openinference.span.kind': 'CHAIN',
        'input.value': JSON.stringify({ texts: ['Is x = 1?', 'a=1'], question: 'Where is it?' }),
      },
    },
    shows: { input: 'Where is it?' },
  },
]

test.each(CASES)('reads what is sent by $source', ({ span, shows }) => {
  expect(readSpanFacts(sentSpan(span))).toMatchObject(shows)
})

test.each([2_028n, 108n])('reads the tokens of caches in the response, with input %s', (prompt) => {
  const usage = {
    input_tokens: 108,
    output_tokens: 140,
    cache_creation_input_tokens: 920,
    cache_read_input_tokens: 1000,
  }
  const attributes = {
    'openinference.span.kind': 'LLM',
    'llm.token_count.prompt': prompt,
    'llm.token_count.completion': 140n,
    'output.value': JSON.stringify({ id: 'm', usage }),
  }
  expect(readSpanFacts(sentSpan({ attributes })).usage).toMatchObject({
    inputTokens: 2_028n,
    cachedTokens: 1_000n,
    cacheWrittenTokens: 920n,
  })
})
