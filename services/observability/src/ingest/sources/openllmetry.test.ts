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
    source: 'OpenLLMetry before its messages were JSON',
    span: {
      attributes: {
        'llm.request.type': 'chat',
        'gen_ai.system': 'OpenAI',
        'gen_ai.request.model': 'gpt-5',
        'gen_ai.prompt.0.role': 'system',
        'gen_ai.prompt.0.content': 'Be kind.',
        'gen_ai.prompt.1.role': 'user',
        'gen_ai.prompt.1.content': JSON.stringify([{ type: 'text', text: 'Where is it?' }]),
        'gen_ai.completion.0.role': 'assistant',
        'gen_ai.completion.0.tool_calls.0.name': 'find',
        'gen_ai.completion.0.tool_calls.0.arguments': '{"x":1}',
        'gen_ai.usage.prompt_tokens': 12n,
        'gen_ai.usage.cache_read_input_tokens': 4n,
        'traceloop.association.properties.session_id': 's1',
      },
    },
    shows: {
      type: 'model',
      input: 'Where is it?',
      output: 'find({"x":1})',
      sessionId: 's1',
      usage: { of: 'call', inputTokens: 12n, cachedTokens: 4n },
    },
  },
  {
    source: 'OpenLLMetry, a workflow',
    span: {
      attributes: {
        'traceloop.span.kind': 'workflow',
        'traceloop.entity.input': JSON.stringify({
          inputs: { messages: [['human', 'Where is it?']] },
          tags: [],
        }),
        'traceloop.entity.output': JSON.stringify({ outputs: { output: 'There.' } }),
      },
    },
    shows: { type: 'chain', input: 'Where is it?', output: 'There.' },
  },
  {
    source: 'OpenLLMetry, a tool',
    span: {
      attributes: {
        'traceloop.span.kind': 'tool',
        'traceloop.entity.name': 'find',
        'traceloop.entity.input': JSON.stringify({ inputs: { x: 1 }, tags: [] }),
        'traceloop.entity.output': JSON.stringify({ output: '42', kwargs: {} }),
      },
    },
    shows: { type: 'tool', toolName: 'find', input: '{"x":1}', output: '42' },
  },
  {
    source: 'OpenLLMetry, a tool of LangChain',
    span: {
      attributes: {
        'traceloop.span.kind': 'tool',
        'gen_ai.tool.name': 'find',
        'gen_ai.tool.call.arguments': JSON.stringify({
          input_str: "{'what': 'umbrella'}",
          metadata: { langgraph_step: 2 },
          inputs: { what: 'umbrella' },
        }),
        'gen_ai.tool.call.result': JSON.stringify({
          output: { lc: 1, id: ['ToolMessage'], kwargs: { content: 'There.', type: 'tool' } },
          kwargs: { name: 'find' },
        }),
      },
    },
    shows: { type: 'tool', input: '{"what":"umbrella"}', output: 'There.' },
  },
]

test.each(CASES)('reads what is sent by $source', ({ span, shows }) => {
  expect(readSpanFacts(sentSpan(span))).toMatchObject(shows)
})

test.each([
  ['unknown', 'llama3.3'],
  ['llama3.3-8b', 'llama3.3-8b'],
])('the model of LangChain that is sent as %s is %s', (sent, model) => {
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': sent,
    'gen_ai.response.model': 'unknown',
    'traceloop.association.properties.ls_model_name': 'llama3.3',
  }
  const scope = 'opentelemetry.instrumentation.langchain'
  expect(readSpanFacts(sentSpan({ scope, attributes })).model).toBe(model)
})
