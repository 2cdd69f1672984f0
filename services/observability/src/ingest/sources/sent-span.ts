import { Status_StatusCode } from '@slipway/proto/opentelemetry/proto/trace/v1/trace'

import { anyAttribute, countAttribute, textAttribute, type Attributes } from '../attribute-value.ts'
import { readEventMessages, type SpanEvent } from '../messages/event-messages.ts'
import { readFlatMessages, type FlatList } from '../messages/flat-messages.ts'
import {
  afterQuestion,
  answerIn,
  isSilent,
  plainText,
  questionIn,
  resultIn,
  type Message,
  type Said,
  type ToolCall,
} from '../messages/message.ts'
import { parseContainer, toPlain } from '../messages/plain-json.ts'
import { toCall } from '../messages/read-content.ts'
import { readMessages, type Direction } from '../messages/read-messages.ts'

/** A decoded span. */
export interface SentSpanFields {
  /** The name of the instrumentation that created it. */
  readonly scope: string
  /** Nanoseconds since 1970. */
  readonly startTimeNs: bigint
  readonly attributes: Attributes
  readonly events: readonly SpanEvent[]
  readonly statusCode: Status_StatusCode
  readonly statusMessage: string
}

/** The place of messages that are in the events of a span. */
export const EVENTS = Symbol('events')

/** Where a span may have messages: an attribute, attributes for each field, or its events. */
type MessagePlace = string | FlatList | typeof EVENTS

/** Where a span may show what was asked or answered; functions read all other places. */
export type Place = MessagePlace | ((span: SentSpan) => Said | string)

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

  /** When the span started, in nanoseconds since 1970. */
  get startTimeNs(): bigint {
    return this.#span.startTimeNs
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

  /** Returns the first of these attributes that is a number; undefined if there is none. */
  number(...keys: readonly string[]): number | undefined {
    for (const key of keys) {
      const value = this.#span.attributes.get(key)?.value
      if (value?.case === 'doubleValue' && Number.isFinite(value.value)) return value.value
      if (value?.case === 'intValue') return Number(value.value)
    }
    return undefined
  }

  /** Returns the time of the first event with one of these names; undefined if there is none. */
  eventTime(names: ReadonlySet<string>): bigint | undefined {
    return this.#span.events.find(({ name }) => names.has(name))?.timeNs
  }

  /** Returns a text attribute of the last event with a name that has it; empty if none has. */
  eventText(name: string, key: string): string {
    const event = this.#span.events.findLast(
      (each) => each.name === name && each.attributes.has(key),
    )
    return event === undefined ? '' : textAttribute(event.attributes, key)
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
   * Returns what the user asked according to the first of these places that shows it. An attribute
   * without messages is the question itself.
   */
  question(...places: readonly Place[]): Said {
    return this.#first(places, 'input')
  }

  /** Returns what the assistant answered, like `question`. */
  answer(...places: readonly Place[]): Said {
    return this.#first(places, 'output')
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

  /** Messages that show neither a question nor an answer are better than nothing. */
  #first(places: readonly Place[], direction: Direction): Said {
    let best = NOTHING_SAID
    for (const place of places) {
      const said = this.#said(place, direction)
      if (said.text !== '') return said
      if (isSilent(best)) best = said
    }
    return best
  }

  #said(place: Place, direction: Direction): Said {
    if (typeof place === 'function') {
      const said = place(this)
      return typeof said === 'string' ? plainText(said) : said
    }
    const messages = this.#messagesAt(place, direction)
    if (messages.length > 0) return toSaid(messages, direction)
    return typeof place === 'string' ? plainText(withoutNothing(this.shown(place))) : NOTHING_SAID
  }

  #messagesAt(place: MessagePlace, direction: Direction): readonly Message[] {
    if (place === EVENTS) return this.eventMessages(direction)
    return typeof place === 'string'
      ? this.messages(place, direction)
      : this.flatMessages(place, direction)
  }
}

const NOTHING_SAID = plainText('')

function toSaid(messages: readonly Message[], direction: Direction): Said {
  return direction === 'input'
    ? { text: questionIn(messages), messages }
    : { text: answerIn(messages), messages: afterQuestion(messages) }
}

/** Frameworks send an empty object where there is no input or output. */
function withoutNothing(text: string): string {
  return text === '{}' ? '' : text
}
