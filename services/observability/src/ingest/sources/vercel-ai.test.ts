import { expect, test } from 'vitest'

import { sentSpan, type TestSentSpan } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'

interface Case {
  readonly source: string
  readonly span: TestSentSpan
  readonly shows: object
}

const CASES: readonly Case[] = [
  {
    source: 'Vercel AI SDK 6, a call of a model',
    span: {
      scope: 'ai',
      attributes: {
        'ai.operationId': 'ai.generateText.doGenerate',
        'ai.model.id': 'gpt-5',
        'ai.model.provider': 'openai.chat',
        'ai.prompt.messages': JSON.stringify([
          { role: 'user', content: [{ type: 'text', text: 'Where is it?' }] },
        ]),
        'ai.response.text': 'There.',
        'ai.response.id': 'r1',
        'ai.usage.promptTokens': 12n,
        'gen_ai.usage.input_tokens': 12n,
        'gen_ai.usage.output_tokens': 3n,
        'ai.usage.cachedInputTokens': 4n,
        'ai.telemetry.metadata.sessionId': 's1',
        'ai.telemetry.metadata.userId': 'u1',
      },
    },
    shows: {
      type: 'model',
      model: 'gpt-5',
      provider: 'openai.chat',
      input: 'Where is it?',
      output: 'There.',
      responseId: 'r1',
      sessionId: 's1',
      userId: 'u1',
      usage: { of: 'call', inputTokens: 12n, outputTokens: 3n, cachedTokens: 4n },
    },
  },
  {
    source: 'Vercel AI SDK 6, the whole run',
    span: {
      attributes: {
        'ai.operationId': 'ai.generateText',
        'ai.prompt': JSON.stringify({ system: 'Be kind.', prompt: 'Where is it?' }),
        'ai.response.toolCalls': JSON.stringify([
          { toolCallId: 'c', toolName: 'find', input: { x: 1 } },
        ]),
        'ai.usage.inputTokens': 12n,
        'ai.usage.outputTokens': 3n,
      },
    },
    shows: {
      type: 'agent',
      input: 'Where is it?',
      output: 'find({"x":1})',
      usage: { of: 'total', inputTokens: 12n },
    },
  },
  {
    source: 'Vercel AI SDK 5, an object',
    span: {
      attributes: {
        'ai.operationId': 'ai.generateObject',
        'ai.response.object': '{"city":"Köln"}',
      },
    },
    shows: { output: '{"city":"Köln"}' },
  },
  {
    source: 'Vercel AI SDK 6, a tool',
    span: {
      attributes: {
        'ai.operationId': 'ai.toolCall',
        'ai.toolCall.name': 'find',
        'ai.toolCall.args': '{"x":1}',
        'ai.toolCall.result': '"42"',
      },
    },
    shows: { type: 'tool', toolName: 'find', input: '{"x":1}', output: '42' },
  },
  {
    source: 'Vercel AI SDK 6, embeddings',
    span: {
      attributes: {
        'ai.operationId': 'ai.embedMany.doEmbed',
        'ai.values': ['"one"', '"two"'],
        'ai.usage.tokens': 4n,
      },
    },
    shows: { type: 'embedding', input: 'one\ntwo', usage: { of: 'call', inputTokens: 4n } },
  },
]

test.each(CASES)('reads what is sent by $source', ({ span, shows }) => {
  expect(readSpanFacts(sentSpan(span))).toMatchObject(shows)
})
