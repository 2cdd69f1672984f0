import { anyAttribute, type Attributes } from '../decode/attribute-value.ts'
import type { Message } from './message.ts'
import { isRecord, toPlain, type JsonRecord } from './plain-json.ts'
import { programEventOf, programMessages } from './program-events.ts'
import { readMessages, TOOL_EVENT, type Direction } from './read-messages.ts'
import type { SpanEvent } from './span-event.ts'
import type { SpanJson } from './span-json.ts'

/** The events that contain messages, and whether these are input or output. */
const DIRECTIONS: ReadonlyMap<string, Direction> = new Map([
  ['gen_ai.system.message', 'input'],
  ['gen_ai.user.message', 'input'],
  ['gen_ai.assistant.message', 'input'],
  [TOOL_EVENT, 'input'],
  ['gen_ai.choice', 'output'],
])

/** The event with all messages of an operation. */
const DETAILS = 'gen_ai.client.inference.operation.details'

/**
 * Returns the name of an event with the content of a GenAI operation; undefined for the other
 * events of log records.
 */
export function contentEventOf(name: string, scope: string): string | undefined {
  return name === DETAILS || DIRECTIONS.has(name) ? name : programEventOf(name, scope)
}

/** The attribute of an event with the message, or a log record's body. */
export const CONTENT_KEY = 'gen_ai.event.content'

/** The attributes of any event that contain messages. */
const KEYS: Readonly<Record<Direction, readonly string[]>> = {
  input: ['gen_ai.input.messages', 'gen_ai.prompt', 'input.value'],
  output: ['gen_ai.output.messages', 'gen_ai.completion', 'output.value'],
}

/** Reads the messages in the events of a span. */
export function readEventMessages(
  events: readonly SpanEvent[],
  direction: Direction,
  json: SpanJson,
): readonly Message[] {
  return events.flatMap((event) => {
    if (DIRECTIONS.get(event.name) === direction)
      return readMessages(recordOf(event, json), direction)
    const own = programMessages(event, direction)
    if (own !== undefined) return own
    return KEYS[direction].flatMap((key) => {
      const text = anyAttribute(event.attributes, key)
      return text === '' ? [] : messagesInText(text, direction, json)
    })
  })
}

/** Reads the messages in text, which is a message by itself if it isn't JSON with messages. */
function messagesInText(text: string, direction: Direction, json: SpanJson): readonly Message[] {
  const messages = readMessages(json.parse(text), direction)
  const role = direction === 'input' ? 'user' : 'assistant'
  return messages.length > 0 ? messages : [{ role, text, calls: [], results: [] }]
}

/** The message of an event: in its body, or with each field in an attribute. */
function recordOf({ name, attributes }: SpanEvent, json: SpanJson): JsonRecord {
  const body = plainOf(attributes, CONTENT_KEY)
  const sent = typeof body === 'string' ? json.parse(body) : body
  const fields = isRecord(sent) ? sent : fieldsOf(attributes, json)
  const role = name.split('.')[1]
  if (role !== 'choice') return { ...fields, role, 'event.name': name }
  const { message } = fields
  return { ...(isRecord(message) ? message : { content: message, ...fields }), role: 'assistant' }
}

function fieldsOf(attributes: Attributes, json: SpanJson): JsonRecord {
  const message = plainOf(attributes, 'message')
  const parsed = typeof message === 'string' ? json.parse(message) : message
  const isMessage = isRecord(parsed) && ('content' in parsed || 'tool_calls' in parsed)
  return {
    content: partsIn(plainOf(attributes, 'content') ?? message, json),
    message: isMessage ? parsed : partsIn(message, json),
    tool_calls: partsIn(plainOf(attributes, 'tool_calls'), json),
    id: plainOf(attributes, 'id'),
  }
}

/** Parses text that is a list of objects. */
function partsIn(value: unknown, json: SpanJson): unknown {
  const parsed = typeof value === 'string' ? json.parse(value) : undefined
  return Array.isArray(parsed) && parsed.every(isRecord) ? parsed : value
}

function plainOf(attributes: Attributes, key: string): unknown {
  const value = attributes.get(key)
  return value && toPlain(value)
}
