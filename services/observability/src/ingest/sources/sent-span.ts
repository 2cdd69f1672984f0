import { Status_StatusCode } from '@slipway/proto/opentelemetry/proto/trace/v1/trace'

import {
  anyAttribute,
  countAttribute,
  idAttribute,
  textAttribute,
  type Attributes,
} from '../decode/attribute-value.ts'
import type { SpanEvent } from '../messages/span-event.ts'
import {
  EMPTY_CONTENT,
  isEmpty,
  plainText,
  resultIn,
  toContent,
  type Content,
  type Message,
  type ToolCall,
} from '../messages/message.ts'
import { toText } from '../messages/plain-json.ts'
import { pythonCallIn } from '../messages/python-call.ts'
import { toCall } from '../messages/read-content.ts'
import type { Direction } from '../messages/read-messages.ts'
import { SpanContents, type MessagePlace } from './span-contents.ts'

/** A decoded span. */
export interface SentSpanFields {
  /** The name of the instrumentation that created it. */
  readonly scope: string
  readonly name: string
  /** Nanoseconds since 1970. */
  readonly startTimeNs: bigint
  readonly attributes: Attributes
  readonly events: readonly SpanEvent[]
  readonly statusCode: Status_StatusCode
  readonly statusMessage: string
}

/** Where a span may show what was asked or answered; functions read all other places. */
export type Place = MessagePlace | ((span: SentSpan) => Content | string)

/** A field with a longer id is ignored. */
const MAX_ID_LENGTH = 300

/** A span as its sender sent it, and what sources read from it. */
export class SentSpan {
  readonly #span: SentSpanFields
  readonly #contents: SpanContents

  constructor(span: SentSpanFields) {
    this.#span = span
    this.#contents = new SpanContents(span.attributes, span.events)
  }

  /** The name of the instrumentation that created the span. */
  get scope(): string {
    return this.#span.scope
  }

  get name(): string {
    return this.#span.name
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

  get keys(): Iterable<string> {
    return this.#span.attributes.keys()
  }

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

  /** Returns the first of these attributes that is an id: programs have numbers as well. */
  id(...keys: readonly string[]): string {
    return keys.map((key) => idAttribute(this.#span.attributes, key)).find((id) => id !== '') ?? ''
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

  /** Returns a text attribute of the last event that another attribute marks; or an empty text. */
  markedEventText(mark: string, value: string, key: string): string {
    const event = this.#span.events.findLast(
      ({ attributes }) => textAttribute(attributes, mark) === value,
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

  /**
   * Returns the first of these attributes that is not empty, like `shown`. Shows only the named
   * arguments of a call of a Python function, unless it has others.
   */
  given(...keys: readonly string[]): string {
    const key = keys.find((each) => this.shown(each) !== '') ?? ''
    const call = pythonCallIn(this.value(key))
    return call === undefined || call.args.length > 0 ? this.shown(key) : toText(call.kwargs)
  }

  /** Returns an attribute as JSON.parse returns it; undefined if it is missing or plain text. */
  value(key: string): unknown {
    return this.#contents.value(key)
  }

  /** Parses text of the span; undefined if it is not a JSON list or object. */
  parse(text: string): unknown {
    return this.#contents.parse(text)
  }

  messages(place: MessagePlace, direction: Direction): readonly Message[] {
    return this.#contents.messages(place, direction)
  }

  /**
   * Returns the content of the first of these places that shows what the user asked. An attribute
   * without messages is the content itself.
   */
  input(...places: readonly Place[]): Content {
    return this.#first(places, 'input')
  }

  /** Returns what the assistant answered, like `input`. */
  output(...places: readonly Place[]): Content {
    return this.#first(places, 'output')
  }

  /** Returns the id of a response in JSON, without parsing it: it is the first field. */
  idIn(key: string): string {
    const start = this.text(key).slice(0, MAX_ID_LENGTH)
    return /^\s*\{\s*"id":\s*"([^"\\]+)"/.exec(start)?.[1] ?? ''
  }

  toolCalls(key: string): readonly ToolCall[] {
    const value = this.value(key)
    return Array.isArray(value) ? value.flatMap(toCall) : []
  }

  /** Returns what a tool returned: an attribute, or the text of the message of a tool in it. */
  result(key: string): string {
    const messages = this.messages(key, 'output').filter(({ role }) => role === 'tool')
    return resultIn(messages) || withoutNothing(this.shown(key))
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

  /** Messages without a text of the user or the assistant are better than nothing. */
  #first(places: readonly Place[], direction: Direction): Content {
    let best = EMPTY_CONTENT
    for (const place of places) {
      const content = this.#read(place, direction)
      if (content.text !== '') return content
      if (isEmpty(best)) best = content
    }
    return best
  }

  #read(place: Place, direction: Direction): Content {
    if (typeof place === 'function') {
      const content = place(this)
      return typeof content === 'string' ? plainText(content) : content
    }
    const messages = this.messages(place, direction)
    if (messages.length > 0) return toContent(messages, direction)
    return typeof place === 'string' ? plainText(withoutNothing(this.shown(place))) : EMPTY_CONTENT
  }
}

/** Frameworks send an empty object where there is no input or output. */
function withoutNothing(text: string): string {
  return text === '{}' ? '' : text
}
