import type { AnyValue } from '@slipway/proto/opentelemetry/proto/common/v1/common'

import { cutToBytes } from '../domain/text.ts'
import { anyAttribute, countAttribute, textAttribute, type Attributes } from './attribute-value.ts'
import { extractMessageText } from './messages.ts'

/** Maximum length of a stored input or output. */
const MAX_TEXT_BYTES = 16 * 1024

/** The facts in a span about a call to a language model or to an agent. */
export interface GenAiFacts {
  readonly input: string
  readonly output: string
  readonly model: string
  readonly inputTokens: bigint
  readonly outputTokens: bigint
}

/**
 * Reads the facts from the attributes of a span and its events. Understands the current and earlier
 * GenAI semantic conventions, OpenInference, and plain `input.value` and `output.value`.
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/
 * https://github.com/Arize-ai/openinference/tree/main/spec
 */
export function readGenAiFacts(attributes: Attributes, events: readonly Attributes[]): GenAiFacts {
  const isModelCall = isLanguageModelCall(attributes)
  return {
    input: firstText([attributes, ...events], INPUT_KEYS),
    output: firstText([attributes, ...events], OUTPUT_KEYS),
    model: cutToBytes(firstOf(MODEL_KEYS, (key) => textAttribute(attributes, key)) ?? '', 256),
    inputTokens: isModelCall ? tokensOf(attributes, INPUT_TOKEN_KEYS) : 0n,
    outputTokens: isModelCall ? tokensOf(attributes, OUTPUT_TOKEN_KEYS) : 0n,
  }
}

const MODEL_KEYS = [
  'gen_ai.response.model',
  'gen_ai.request.model',
  'llm.model_name',
  'embedding.model_name',
]
const INPUT_TOKEN_KEYS = [
  'gen_ai.usage.input_tokens',
  'gen_ai.usage.prompt_tokens',
  'llm.token_count.prompt',
]
const OUTPUT_TOKEN_KEYS = [
  'gen_ai.usage.output_tokens',
  'gen_ai.usage.completion_tokens',
  'llm.token_count.completion',
]

/**
 * Far above any real call, and low enough that the sum over hundreds of spans fits into an int64.
 */
const MAX_TOKENS = 2n ** 54n

/** Returns a span's number of tokens; 0 if it is implausible. */
function tokensOf(attributes: Attributes, keys: readonly string[]): bigint {
  const tokens = firstOf(keys, (key) => countAttribute(attributes, key)) ?? 0n
  return tokens > MAX_TOKENS ? 0n : tokens
}

interface TextKey {
  readonly key: string
  /** The role whose messages are used if the value is a list of messages. */
  readonly role: 'user' | 'assistant'
}

const INPUT_KEYS: readonly TextKey[] = [
  'gen_ai.input.messages',
  'input.value',
  'gen_ai.prompt',
  'gen_ai.prompt.0.content',
  'llm.input_messages.0.message.content',
  'gen_ai.tool.call.arguments',
].map((key) => ({ key, role: 'user' }))

const OUTPUT_KEYS: readonly TextKey[] = [
  'gen_ai.output.messages',
  'output.value',
  'gen_ai.completion',
  'gen_ai.completion.0.content',
  'llm.output_messages.0.message.content',
  'gen_ai.tool.call.result',
].map((key) => ({ key, role: 'assistant' }))

/**
 * The operations of GenAI spans that call a model. Their parent spans may repeat the sum of their
 * tokens.
 */
const MODEL_OPERATIONS: ReadonlySet<string> = new Set([
  'chat',
  'text_completion',
  'generate_content',
  'embeddings',
])
const MODEL_SPAN_KINDS: ReadonlySet<string> = new Set(['LLM', 'EMBEDDING'])

function isLanguageModelCall(attributes: Attributes): boolean {
  const operation = textAttribute(attributes, 'gen_ai.operation.name')
  if (operation !== '') return MODEL_OPERATIONS.has(operation)
  const kind = textAttribute(attributes, 'openinference.span.kind')
  return kind === '' || MODEL_SPAN_KINDS.has(kind.toUpperCase())
}

function firstText(sources: readonly Attributes[], keys: readonly TextKey[]): string {
  for (const { key, role } of keys) {
    for (const attributes of sources) {
      const value = attributes.get(key)
      const text = value === undefined ? '' : toText(attributes, key, value, role)
      if (text !== '') return cutToBytes(text, MAX_TEXT_BYTES)
    }
  }
  return ''
}

function toText(
  attributes: Attributes,
  key: string,
  value: AnyValue,
  role: 'user' | 'assistant',
): string {
  const text = anyAttribute(attributes, key)
  const mayBeMessages =
    value.value.case !== 'stringValue' || text.startsWith('[') || text.startsWith('{')
  return (mayBeMessages ? extractMessageText(text, role) : undefined) ?? text
}

function firstOf<Value>(
  keys: readonly string[],
  read: (key: string) => Value | undefined,
): Value | undefined {
  for (const key of keys) {
    const value = read(key)
    if (value !== undefined && value !== '') return value
  }
  return undefined
}
