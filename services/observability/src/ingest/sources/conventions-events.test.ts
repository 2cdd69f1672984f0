import { expect, test } from 'vitest'

import { ANSWERED, ASKED, sentSpan, type TestSentSpan } from '../../../test/support/sent-span.ts'
import { readSpanFacts } from './read-span-facts.ts'

interface Case {
  readonly source: string
  readonly span: TestSentSpan
  readonly shows: object
}

const CASES: readonly Case[] = [
  {
    source: 'Strands, a model, with events of its messages',
    span: {
      scope: 'strands.telemetry.tracer',
      attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': 12n },
      events: [
        {
          name: 'gen_ai.user.message',
          attributes: { content: JSON.stringify([{ text: 'Where is it?' }]) },
        },
        {
          name: 'gen_ai.assistant.message',
          attributes: { content: JSON.stringify([{ toolUse: { name: 'find', input: {} } }]) },
        },
        {
          name: 'gen_ai.tool.message',
          attributes: { content: JSON.stringify([{ toolResult: { content: [{ text: '42' }] } }]) },
        },
        { name: 'gen_ai.choice', attributes: { message: JSON.stringify([{ text: 'There.' }]) } },
      ],
    },
    shows: { type: 'model', input: 'Where is it?', output: 'There.' },
  },
  {
    source: 'Strands, a tool',
    span: {
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'find' },
      events: [
        { name: 'gen_ai.tool.message', attributes: { role: 'tool', content: '{"x":1}', id: 'c' } },
        {
          name: 'gen_ai.choice',
          attributes: { message: JSON.stringify([{ text: '42' }]), id: 'c' },
        },
      ],
    },
    shows: { type: 'tool', input: '{"x":1}', output: '42' },
  },
  {
    source: 'earlier conventions, with the body of an event in an attribute',
    span: {
      attributes: { 'gen_ai.operation.name': 'chat' },
      events: [
        {
          name: 'gen_ai.user.message',
          attributes: { 'gen_ai.event.content': JSON.stringify({ content: 'Where is it?' }) },
        },
        {
          name: 'gen_ai.choice',
          attributes: {
            'gen_ai.event.content': JSON.stringify({ index: 0, message: { content: 'There.' } }),
          },
        },
      ],
    },
    shows: { input: 'Where is it?', output: 'There.' },
  },
  {
    source: 'conventions, with the messages in an event',
    span: {
      attributes: { 'gen_ai.operation.name': 'chat' },
      events: [
        {
          name: 'gen_ai.client.inference.operation.details',
          attributes: {
            'gen_ai.input.messages': JSON.stringify(ASKED),
            'gen_ai.output.messages': JSON.stringify(ANSWERED),
          },
        },
      ],
    },
    shows: { input: 'Where is it?', output: 'There.' },
  },
]

test.each(CASES)('reads what is sent by $source', ({ span, shows }) => {
  expect(readSpanFacts(sentSpan(span))).toMatchObject(shows)
})
