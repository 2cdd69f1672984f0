import { isRecord, toText, type JsonRecord } from '../messages/plain-json.ts'
import { apartInApi } from './complete-usage.ts'
import { conventions } from './conventions.ts'
import { openLlmetry } from './openllmetry.ts'
import type { SentSpan } from './sent-span.ts'
import { NO_CONTENT, type Source } from './source.ts'

/**
 * OpenLLMetry's instrumentation of LlamaIndex. The steps of an agent are tasks. The task with the
 * name of a tool is its call. Their outputs are the events of the workflow, not what was said.
 */
export const openLlmetryLlamaIndex: Source = {
  ...openLlmetry,
  scopes: ['opentelemetry.instrumentation.llamaindex'],
  signs: [],
  type: (span) => (span.has('tool.name') ? 'tool' : (openLlmetry.type?.(span) ?? '')),
  input: (span) => (isStep(span) ? NO_CONTENT : (openLlmetry.input?.(span) ?? NO_CONTENT)),
  output: (span) => {
    if (!isStep(span)) return openLlmetry.output?.(span) ?? NO_CONTENT
    const response = isWorkflow(span) ? recordIn(outputOf(span), 'result', 'response') : {}
    const text = textOf(response['blocks'])
    return text === '' ? NO_CONTENT : { text, messages: [] }
  },
  // Its total, too, is without the tokens of Anthropic's caches.
  usage: (span, type) => {
    const usage = conventions.usage(span, type)
    const { input = false } = apartInApi(conventions.provider(span))
    return usage && { ...usage, apart: { input } }
  },
  toolName: (span) => span.text('tool.name'),
  toolArguments: (span) => span.shown('tool.arguments'),
  toolResult: (span) => toText(recordIn(outputOf(span), 'tool_output')['raw_output']),
  // An agent gets the failure of a tool as its result.
  isError: (span, type) =>
    conventions.isError(span, type) ||
    (type === 'tool' && recordIn(outputOf(span), 'tool_output')['is_error'] === true),
}

function isWorkflow(span: SentSpan): boolean {
  return span.text('traceloop.span.kind') === 'workflow'
}

/** The calls of some models are tasks as well. */
function isStep(span: SentSpan): boolean {
  const isTask = span.text('traceloop.span.kind') === 'task'
  return isWorkflow(span) || (isTask && !span.has('gen_ai.input.messages'))
}

function outputOf(span: SentSpan): JsonRecord {
  const value = span.value('traceloop.entity.output')
  return isRecord(value) ? value : {}
}

/** Follows the fields of objects; empty where one is missing. */
function recordIn(record: JsonRecord, ...fields: readonly string[]): JsonRecord {
  return fields.reduce<JsonRecord>((inner, field) => {
    const value = inner[field]
    return isRecord(value) ? value : {}
  }, record)
}

function textOf(blocks: unknown): string {
  if (!Array.isArray(blocks)) return ''
  return blocks.map((block) => (isRecord(block) ? toText(block['text']) : '')).join('')
}
