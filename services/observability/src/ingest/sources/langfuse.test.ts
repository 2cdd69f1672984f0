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
    source: 'Langfuse, a generation',
    span: {
      attributes: {
        'langfuse.observation.type': 'generation',
        'langfuse.observation.model.name': 'gpt-5',
        'langfuse.observation.input': JSON.stringify(ASKED),
        'langfuse.observation.output': JSON.stringify({ role: 'assistant', content: 'There.' }),
        'langfuse.observation.usage_details': JSON.stringify({ input: 12, output: 3, total: 15 }),
        'langfuse.session.id': 's1',
        'langfuse.user.id': 'u1',
      },
    },
    shows: {
      type: 'model',
      model: 'gpt-5',
      input: 'Where is it?',
      output: 'There.',
      sessionId: 's1',
      userId: 'u1',
      usage: { of: 'call', inputTokens: 12n, outputTokens: 3n },
    },
  },
  {
    source: 'Langfuse, its wrapper of the OpenAI SDK',
    span: {
      attributes: {
        'langfuse.observation.type': 'generation',
        'langfuse.observation.usage_details': JSON.stringify({
          prompt_tokens: 12,
          completion_tokens: 3,
          prompt_tokens_details: { cached_tokens: 8 },
          completion_tokens_details: { reasoning_tokens: 2 },
        }),
      },
    },
    shows: {
      usage: { inputTokens: 12n, outputTokens: 3n, cachedTokens: 8n, reasoningTokens: 2n },
    },
  },
  {
    source: 'Langfuse, a call of Gemini in LangChain, whose thoughts only the total has',
    span: {
      attributes: {
        'langfuse.observation.type': 'generation',
        'langfuse.observation.model.name': 'gemini-2.5-flash',
        'langfuse.observation.metadata.ls_provider': '"google_genai"',
        'langfuse.observation.usage_details': JSON.stringify({
          input: 28,
          output: 12,
          total: 190,
          input_cache_read: 100,
        }),
      },
    },
    shows: {
      provider: 'google_genai',
      usage: { inputTokens: 128n, outputTokens: 62n, cachedTokens: 100n, reasoningTokens: 50n },
    },
  },
  {
    source: 'Langfuse, a decorated tool',
    span: {
      name: 'find',
      attributes: {
        'langfuse.observation.type': 'tool',
        'langfuse.observation.input': JSON.stringify({ args: [], kwargs: { what: 'umbrella' } }),
        'langfuse.observation.output': 'In the hall.',
      },
    },
    shows: { toolName: 'find', input: '{"what":"umbrella"}', output: 'In the hall.' },
  },
  {
    source: 'Langfuse, a decorated agent',
    span: {
      attributes: {
        'langfuse.observation.type': 'agent',
        'langfuse.observation.input': JSON.stringify({ args: ['Where is it?'], kwargs: {} }),
        'langfuse.observation.output': 'There.',
      },
    },
    shows: { type: 'agent', input: 'Where is it?', output: 'There.' },
  },
]

test.each(CASES)('reads what is sent by $source', ({ span, shows }) => {
  expect(readSpanFacts(sentSpan(span))).toMatchObject(shows)
})
