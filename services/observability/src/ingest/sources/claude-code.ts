import type { SpanType } from '../../domain/span.ts'
import type { Content, Message } from '../messages/message.ts'
import { REDACTED } from '../messages/program-events.ts'
import { firstTokenAfter } from './response-facts.ts'
import type { SentSpan } from './sent-span.ts'
import type { Source } from './source.ts'
import type { SentUsage } from './span-facts.ts'
import { readUsage } from './usage.ts'

/**
 * Claude Code, and the Claude Agent SDK, which runs it. Its spans follow the conventions but for
 * what was said and, in earlier versions, the tokens.
 * https://code.claude.com/docs/en/monitoring-usage
 */
export const claudeCode: Source = {
  scopes: ['com.anthropic.claude_code.tracing'],
  signs: [],
  type: (span) => TYPES.get(span.text('span.type')) ?? '',
  model: (span) => span.text('gen_ai.response.model', 'gen_ai.request.model', 'model'),
  input: (span) => span.input((agent) => shown(agent, 'user_prompt'), addedTo),
  output: (span) => span.output((model) => shown(model, 'response.model_output')),
  toolName: (span) => span.text('gen_ai.tool.name', 'tool_name'),
  toolArguments: (span) =>
    withoutHeading(span.text('tool_input')) || span.text('full_command', 'file_path'),
  toolResult: (span) =>
    RESULTS.map((key) => span.eventText('tool.output', key)).find((text) => text !== '') ??
    withoutHeading(span.text('new_context')),
  usage: (span, type) => (type === 'model' ? readOwnUsage(span) : undefined),
  isError: (span) => span.hasErrorStatus || span.has('error'),
  finishReason: (span) => span.text('stop_reason'),
  firstTokenNs: (span) => firstTokenAfter(span.number('ttft_ms')),
}

const TYPES: ReadonlyMap<string, SpanType> = new Map([
  ['interaction', 'agent'],
  ['llm_request', 'model'],
  ['tool', 'tool'],
])
/** The fields of the event `tool.output` that have what a tool returned. */
const RESULTS = ['output', 'content', 'diff']

function shown(span: SentSpan, key: string): string {
  const text = span.text(key)
  return text === REDACTED ? '' : text
}

/** The first line of a text says what it is: `[USER]`, or `[TOOL RESULT: <id>]`. */
const HEADING = /^\[([A-Z ]+)(?:: ([^\]\n]*))?\]\n/

function withoutHeading(text: string): string {
  return text.replace(HEADING, '')
}

/** Returns what was added to the conversation before a request. */
function addedTo(span: SentSpan): Content {
  const sent = span.text('new_context')
  const [, kind = '', callId = ''] = HEADING.exec(sent) ?? []
  const text = withoutHeading(sent)
  if (kind !== 'TOOL RESULT') return { text: kind === 'USER' ? text : '', messages: [] }
  const message: Message = { role: 'tool', text, calls: [], results: [{ callId, text }] }
  return { text: '', messages: [message] }
}

/** Earlier versions count the tokens of caches apart from the input. */
function readOwnUsage(span: SentSpan): SentUsage | undefined {
  if (span.has('gen_ai.usage.input_tokens')) return undefined
  const own = readUsage(span, 'call', {
    input: ['input_tokens'],
    output: ['output_tokens'],
    cached: ['cache_read_tokens'],
    cacheWritten: ['cache_creation_tokens'],
    reasoning: [],
  })
  if (own === undefined) return undefined
  return { ...own, inputTokens: own.inputTokens + own.cachedTokens + own.cacheWrittenTokens }
}
