import type { Attributes } from '../decode/attribute-value.ts'
import { readEventMessages } from '../messages/event-messages.ts'
import type { SpanEvent } from '../messages/span-event.ts'
import { readFlatMessages, type FlatList } from '../messages/flat-messages.ts'
import type { Message } from '../messages/message.ts'
import { toPlain } from '../messages/plain-json.ts'
import { readMessages, type Direction } from '../messages/read-messages.ts'
import { SpanJson } from '../messages/span-json.ts'

/** The place of messages that are in the events of a span. */
export const EVENTS = Symbol('events')

/** Where a span may have messages: an attribute, attributes for each field, or its events. */
export type MessagePlace = string | FlatList | typeof EVENTS

/**
 * The values and messages in the attributes and events of a span. Several sources ask for the same
 * ones, so each is read at most once: megabytes of them would block the event loop.
 */
export class SpanContents {
  readonly #attributes: Attributes
  readonly #events: readonly SpanEvent[]
  readonly #json = new SpanJson()
  #values: Map<string, unknown> | undefined
  #messages: Record<Direction, Map<MessagePlace, readonly Message[]>> | undefined

  constructor(attributes: Attributes, events: readonly SpanEvent[]) {
    this.#attributes = attributes
    this.#events = events
  }

  /** Parses text of the span; undefined if it is not a JSON list or object. */
  parse(text: string): unknown {
    return this.#json.parse(text)
  }

  /** Returns an attribute as JSON.parse returns it; undefined if it is missing or plain text. */
  value(key: string): unknown {
    const value = this.#attributes.get(key)
    if (value === undefined) return undefined
    this.#values ??= new Map()
    if (this.#values.has(key)) return this.#values.get(key)
    const { case: type, value: content } = value.value
    const plain = type === 'stringValue' ? this.parse(content) : toPlain(value)
    this.#values.set(key, plain)
    return plain
  }

  messages(place: MessagePlace, direction: Direction): readonly Message[] {
    this.#messages ??= { input: new Map(), output: new Map() }
    const known = this.#messages[direction].get(place)
    if (known !== undefined) return known
    const messages = this.#read(place, direction)
    this.#messages[direction].set(place, messages)
    return messages
  }

  #read(place: MessagePlace, direction: Direction): readonly Message[] {
    if (place === EVENTS) return readEventMessages(this.#events, direction, this.#json)
    if (typeof place === 'string') return readMessages(this.value(place), direction)
    if (!place.signs.some((key) => this.#attributes.has(key))) return []
    const defaultRole = direction === 'input' ? 'user' : 'assistant'
    const options = { defaultRole, json: this.#json } as const
    return readMessages(readFlatMessages(this.#attributes, place, options), direction)
  }
}
