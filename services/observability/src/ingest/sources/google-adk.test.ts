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
    source: 'Google ADK, a call of a model',
    span: {
      scope: 'gcp.vertex.agent',
      attributes: {
        'gen_ai.system': 'gcp.vertex.agent',
        'gen_ai.request.model': 'gemini-3',
        'gcp.vertex.agent.session_id': 's1',
        'gcp.vertex.agent.llm_request': JSON.stringify({
          config: { system_instruction: 'Be kind.' },
          contents: [{ role: 'user', parts: [{ text: 'Where is it?' }] }],
        }),
        'gcp.vertex.agent.llm_response': JSON.stringify({
          content: { role: 'model', parts: [{ text: 'There.' }] },
        }),
      },
    },
    shows: { type: 'model', input: 'Where is it?', output: 'There.', sessionId: 's1' },
  },
  {
    source: 'Google ADK, a tool',
    span: {
      scope: 'gcp.vertex.agent',
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'find',
        'gcp.vertex.agent.llm_request': '{}',
        'gcp.vertex.agent.llm_response': '{}',
        'gcp.vertex.agent.tool_call_args': '{"x":1}',
        'gcp.vertex.agent.tool_response': '{"result":"42"}',
      },
    },
    shows: { type: 'tool', toolName: 'find', input: '{"x":1}', output: '42' },
  },
]

test.each(CASES)('reads what is sent by $source', ({ span, shows }) => {
  expect(readSpanFacts(sentSpan(span))).toMatchObject(shows)
})
