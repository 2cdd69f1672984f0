import { Status_StatusCode } from '@slipway/proto/opentelemetry/proto/trace/v1/trace'

import { anyAttribute, countAttribute, textAttribute, type Attributes } from '../attribute-value.ts'
import { readEventMessages, type SpanEvent } from '../messages/event-messages.ts'
import { readFlatMessages, type FlatList } from '../messages/flat-messages.ts'
import { answerIn, questionIn, resultIn, type Message, type ToolCall } from '../messages/message.ts'
import { parseContainer, toPlain } from '../messages/plain-json.ts'
import { toCall } from '../messages/read-content.ts'
import { readMessages, type Direction } from '../messages/read-messages.ts'

/** A decoded span. */
export interface SentSpanFields {
  /** The name of the instrumentation that created it. */
  readonly scope: string
  readonly attributes: Attributes
  readonly events: readonly SpanEvent[]
  readonly statusCode: Status_StatusCode
  readonly statusMessage: string
}

/** A field with a longer id is ignored. */
const MAX_ID_LENGTH = 300

/** A span as its sender sent it, and what sources read from it. JSON is parsed at most once. */
export class SentSpan {
  readonly #span: SentSpanFields
  #parsed: Map<string, unknown> | undefined

  constructor(span: SentSpanFields) {
    this.#span = span
  }

  /** The name of the instrumentation that created the span. */
  get scope(): string {
    return this.#span.scope
  }

  /** The status message; empty if there is none. */
  get statusMessage(): string {
    return this.#span.statusMessage
  }

  /** Whether the sender says that the operation failed. */
  get hasErrorStatus(): boolean {
    return this.#span.statusCode === Status_StatusCode.ERROR
  }

  /** Whether the sender says that the operation did not fail. */
  get hasOkStatus(): boolean {
    return this.#span.statusCode === Status_StatusCode.OK
  }

  /** The keys of the span's attributes. */
  get keys(): Iterable<string> {
    return this.#span.attributes.keys()
  }

  /** Whether the span has an attribute. */
  has(key: string): boolean {
    return this.#span.attributes.has(key)
  }

  /** Returns the first of these attributes that is a string and not empty. */
  text(...keys: readonly string[]): string {
    for (const key of keys) {
      const text = textAttribute(this.#span.attributes, key)
      if (text !== '') return text
    }
    return ''
  }

  /** Returns the first of these attributes that is a non-negative integer. */
  count(keys: readonly string[]): bigint | undefined {
    for (const key of keys) {
      const count = countAttribute(this.#span.attributes, key)
      if (count !== undefined) return count
    }
    return undefined
  }

  /** Returns the first of these attributes that is not empty: text unchanged, others as JSON. */
  shown(...keys: readonly string[]): string {
    for (const key of keys) {
      const text = anyAttribute(this.#span.attributes, key)
      if (text !== '') return text
    }
    return ''
  }

  /** Returns an attribute as JSON.parse returns it; undefined if it is missing or plain text. */
  value(key: string): unknown {
    const value = this.#span.attributes.get(key)
    if (value === undefined) return undefined
    this.#parsed ??= new Map()
    if (this.#parsed.has(key)) return this.#parsed.get(key)
    const { case: type, value: content } = value.value
    const plain = type === 'stringValue' ? parseContainer(content) : toPlain(value)
    this.#parsed.set(key, plain)
    return plain
  }

  /** Returns the messages in an attribute. */
  messages(key: string, direction: Direction): readonly Message[] {
    return this.has(key) ? readMessages(this.value(key), direction) : []
  }

  /**
   * Returns what the user asked according to the first of these attributes that shows it. An
   * attribute without messages is the question itself.
   */
  question(...keys: readonly string[]): string {
    return this.#first(keys, 'input', questionIn)
  }

  /** Returns what the assistant answered, like `question`. */
  answer(...keys: readonly string[]): string {
    return this.#first(keys, 'output', answerIn)
  }

  /** Returns the id of a response in JSON, without parsing it: it is the first field. */
  idIn(key: string): string {
    const start = this.text(key).slice(0, MAX_ID_LENGTH)
    return /^\s*\{\s*"id":\s*"([^"\\]+)"/.exec(start)?.[1] ?? ''
  }

  /** Returns the tool calls in a list. */
  toolCalls(key: string): readonly ToolCall[] {
    const value = this.value(key)
    return Array.isArray(value) ? value.flatMap(toCall) : []
  }

  /** Returns what a tool returned: an attribute, or the text of the message of a tool in it. */
  result(key: string): string {
    const messages = this.messages(key, 'output').filter(({ role }) => role === 'tool')
    return resultIn(messages) || withoutNothing(this.shown(key))
  }

  /** Returns the messages of a list that is flattened into attributes. */
  flatMessages({ prefix, signs }: FlatList, direction: Direction): readonly Message[] {
    if (!signs.some((key) => this.has(key))) return []
    const role = direction === 'input' ? 'user' : 'assistant'
    return readMessages(readFlatMessages(this.#span.attributes, prefix, role), direction)
  }

  /** Returns the messages in the span's events. */
  eventMessages(direction: Direction): readonly Message[] {
    const { events } = this.#span
    return events.length === 0 ? [] : readEventMessages(events, direction)
  }

  /** The message of the exception that the span recorded last; undefined if there is none. */
  get exception(): string | undefined {
    const event = this.#span.events.findLast(({ name }) => name === 'exception')
    if (event === undefined) return undefined
    const { attributes } = event
    return (
      textAttribute(attributes, 'exception.message') || textAttribute(attributes, 'exception.type')
    )
  }

  #first(
    keys: readonly string[],
    direction: Direction,
    pick: (messages: readonly Message[]) => string,
  ): string {
    for (const key of keys) {
      if (!this.has(key)) continue
      const messages = this.messages(key, direction)
      const text = messages.length > 0 ? pick(messages) : withoutNothing(this.shown(key))
      if (text !== '') return text
    }
    return ''
  }
}

/** Frameworks send an empty object where there is no input or output. */
function withoutNothing(text: string): string {
  return text === '{}' ? '' : text
}
