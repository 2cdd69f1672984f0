import type { SpanType } from '../../domain/span.ts'
import type { Content } from '../messages/message.ts'
import { unquoted } from '../messages/plain-json.ts'
import { conventions } from './conventions.ts'
import type { SentSpan } from './sent-span.ts'
import type { Source } from './source.ts'

/**
 * The SDK of Laminar. Its spans of models follow the conventions; those of functions have their
 * arguments and results as JSON.
 * https://docs.lmnr.ai/tracing/otel
 */
export const laminar: Source = {
  signs: ['lmnr.span.type'],
  type: (span) => conventions.type(span) || (TYPES.get(span.text('lmnr.span.type')) ?? ''),
  input: (span) => span.input(conventions.input, 'lmnr.span.input'),
  output: (span) => span.output(conventions.output, returned),
  toolName: (span) => span.text('gen_ai.tool.name') || span.name,
  toolArguments: (span) => span.given('lmnr.span.input'),
  toolResult: (span) => unquoted(span.result('lmnr.span.output')),
  sessionId: (span) => span.id('lmnr.association.properties.session_id'),
  userId: (span) => span.id('lmnr.association.properties.user_id'),
}

const TYPES: ReadonlyMap<string, SpanType> = new Map([
  ['DEFAULT', 'chain'],
  ['LLM', 'model'],
  ['TOOL', 'tool'],
  ['EXECUTOR', 'chain'],
  ['EVALUATOR', 'chain'],
  ['HUMAN_EVALUATOR', 'chain'],
  ['EVALUATION', 'chain'],
])

function returned(span: SentSpan): Content {
  const content = span.output('lmnr.span.output')
  return { ...content, text: unquoted(content.text) }
}
