import type { SpanType } from '../../domain/span.ts'
import type { Content } from '../messages/message.ts'
import { isRecord, toText, unquoted } from '../messages/plain-json.ts'
import { COMPLETION, conventions, PROMPT } from './conventions.ts'
import type { SentSpan } from './sent-span.ts'
import type { Source } from './source.ts'

/**
 * OpenLLMetry's instrumentations and the decorators of its SDK. It follows the conventions, older
 * releases with an attribute for each field of a message.
 * https://github.com/traceloop/openllmetry
 */
export const openLlmetry: Source = {
  scopes: ['opentelemetry.instrumentation.langchain'],
  signs: ['traceloop.span.kind', 'llm.request.type'],
  type: (span) =>
    conventions.type(span) ||
    (TYPES.get(span.text('traceloop.span.kind', 'llm.request.type').toLowerCase()) ?? ''),
  model: (span) =>
    MODELS.map((key) => span.text(key)).find((name) => !['', 'unknown'].includes(name)) ?? '',
  input: (span) => span.input('gen_ai.input.messages', PROMPT, 'traceloop.entity.input'),
  output: (span) => span.output('gen_ai.output.messages', COMPLETION, entityAnswer),
  toolName: (span) => span.text('gen_ai.tool.name', 'traceloop.entity.name'),
  toolArguments: (span) =>
    inputsOf(span, 'gen_ai.tool.call.arguments') ||
    entityOf(span, 'traceloop.entity.input', 'inputs', 'kwargs'),
  toolResult: (span) =>
    span.result('gen_ai.tool.call.result') || entityOf(span, 'traceloop.entity.output', 'output'),
  sessionId: (span) =>
    span.id(
      'gen_ai.conversation.id',
      'session.id',
      'traceloop.association.properties.session_id',
      'traceloop.association.properties.thread_id',
    ),
  userId: (span) => span.id('traceloop.association.properties.user_id'),
}

/** In those of LangChain, models of some providers are unknown but for the name in its metadata. */
const MODELS = [
  'gen_ai.response.model',
  'gen_ai.request.model',
  'traceloop.association.properties.ls_model_name',
]

const TYPES: ReadonlyMap<string, SpanType> = new Map([
  ['workflow', 'chain'],
  ['task', 'chain'],
  ['agent', 'agent'],
  ['tool', 'tool'],
  ['chat', 'model'],
  ['completion', 'model'],
  ['embedding', 'embedding'],
  ['rerank', 'retrieval'],
])

/** LangChain's callbacks get the arguments of a tool with much about its run. */
function inputsOf(span: SentSpan, key: string): string {
  const value = span.value(key)
  const inputs = isRecord(value) && 'input_str' in value ? value['inputs'] : undefined
  return isRecord(inputs) ? toText(inputs) : span.shown(key)
}

function entityAnswer(span: SentSpan): Content {
  const content = span.output('traceloop.entity.output')
  return { ...content, text: unquoted(content.text) }
}

/** Returns what a tool was given or returned, without what surrounds it. */
function entityOf(span: SentSpan, key: string, ...fields: readonly string[]): string {
  const value = span.value(key)
  const texts = isRecord(value) ? fields.map((field) => toText(value[field])) : []
  return texts.find((text) => text !== '') ?? unquoted(span.result(key))
}
