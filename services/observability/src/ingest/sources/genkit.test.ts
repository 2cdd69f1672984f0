import { expect, test } from 'vitest'

import { sentSpan, type TestSentSpan } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'

interface Case {
  readonly source: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly shows: object
}

const messages = [
  { role: 'system', content: [{ text: 'Be kind.' }] },
  { role: 'user', content: [{ text: 'Where is it?' }] },
]

const CASES: readonly Case[] = [
  {
    source: 'a flow',
    attributes: {
      'genkit:metadata:subtype': 'flow',
      'genkit:input': '"Where is it?"',
      'genkit:output': '"There."',
    },
    shows: { type: 'chain', input: 'Where is it?', output: 'There.', model: '', finishReason: '' },
  },
  {
    source: 'a model',
    attributes: {
      'genkit:metadata:subtype': 'model',
      'genkit:name': 'googleai/gemini-2.5-flash',
      'genkit:input': JSON.stringify({ messages, config: {} }),
      'genkit:output': JSON.stringify({
        message: { role: 'model', content: [{ text: 'There.' }] },
        finishReason: 'stop',
        usage: { inputTokens: 12, outputTokens: 3, thoughtsTokens: 4, totalTokens: 19 },
      }),
    },
    shows: {
      type: 'model',
      provider: 'googleai',
      model: 'gemini-2.5-flash',
      input: 'Where is it?',
      output: 'There.',
      finishReason: 'stop',
      usage: { of: 'call', inputTokens: 12n, outputTokens: 7n, reasoningTokens: 4n },
    },
  },
  {
    source: 'a model whose plugin returns candidates',
    attributes: {
      'genkit:metadata:subtype': 'model',
      'genkit:name': 'googleai/gemini-flash-latest',
      'genkit:output': JSON.stringify({
        candidates: [
          { finishReason: 'stop', message: { role: 'model', content: [{ text: 'There.' }] } },
        ],
        custom: { modelVersion: 'gemini-2.5-flash', responseId: 'r1' },
      }),
    },
    shows: {
      model: 'gemini-2.5-flash',
      responseId: 'r1',
      output: 'There.',
      finishReason: 'stop',
    },
  },
  {
    source: 'a response of OpenAI',
    attributes: {
      'genkit:metadata:subtype': 'model',
      'genkit:name': 'openai/gpt-5',
      'genkit:output': JSON.stringify({
        message: {
          role: 'model',
          content: [{ toolRequest: { name: 'find', ref: 'c1', input: { what: 'umbrella' } } }],
        },
        usage: { inputTokens: 12, outputTokens: 3, totalTokens: 15 },
        raw: {
          id: 'r1',
          model: 'gpt-5-2025-08-07',
          usage: {
            prompt_tokens_details: { cached_tokens: 8 },
            completion_tokens_details: { reasoning_tokens: 2 },
          },
        },
      }),
    },
    shows: {
      model: 'gpt-5-2025-08-07',
      responseId: 'r1',
      output: 'find({"what":"umbrella"})',
      usage: { outputTokens: 3n, cachedTokens: 8n, reasoningTokens: 2n },
    },
  },
  {
    source: 'a tool',
    attributes: {
      'genkit:metadata:subtype': 'tool',
      'genkit:name': 'find',
      'genkit:input': '{"what":"umbrella"}',
      'genkit:output': '"In the hall."',
      'genkit:state': 'error',
    },
    shows: {
      type: 'tool',
      toolName: 'find',
      input: '{"what":"umbrella"}',
      output: 'In the hall.',
      isError: true,
    },
  },
]

test.each(CASES)('reads what Genkit sends of $source', ({ attributes, shows }) => {
  const span = { attributes: { 'genkit:type': 'action', ...attributes } } as TestSentSpan
  expect(readSpanFacts(sentSpan(span))).toMatchObject(shows)
})
