import type { AnyValue, KeyValue } from '@slipway/proto/opentelemetry/proto/common/v1/common'

import { cutToBytes } from '../../domain/text.ts'
import { NOTHING_REMOVED, type Removed } from './decoded-record.ts'

/** The attributes of one span by key. If a key occurs twice, the last value counts. */
export type Attributes = ReadonlyMap<string, AnyValue>

/** Limits for the attributes of a span that are stored. */
export const ATTRIBUTE_LIMITS = {
  count: 128,
  keyBytes: 256,
  valueBytes: 16 * 1024,
  totalBytes: 64 * 1024,
  /** Maximum nesting of lists and maps. */
  depth: 8,
} as const

export function toAttributes(pairs: readonly KeyValue[]): Attributes {
  const attributes = new Map<string, AnyValue>()
  for (const { key, value } of pairs) if (value !== undefined) attributes.set(key, value)
  return attributes
}

/**
 * Returns the value of a string attribute; empty for other types and if the attribute is missing.
 */
export function textAttribute(attributes: Attributes, key: string): string {
  const value = attributes.get(key)?.value
  return value?.case === 'stringValue' ? value.value : ''
}

/** Returns an attribute that is an id, a string or an integer; empty for all others. */
export function idAttribute(attributes: Attributes, key: string): string {
  const value = attributes.get(key)?.value
  return value?.case === 'intValue' ? value.value.toString() : textAttribute(attributes, key)
}

/** The maximum length of the JSON of one structured attribute. */
const MAX_STRUCTURE_BYTES = 1024 * 1024

/**
 * Returns an attribute as a string: a string unchanged, other types as JSON; empty if it is
 * missing.
 */
export function anyAttribute(attributes: Attributes, key: string): string {
  const value = attributes.get(key)
  if (value === undefined || isEmpty(value)) return ''
  return value.value.case === 'stringValue'
    ? value.value.value
    : toJson(value, { left: MAX_STRUCTURE_BYTES })
}

/** References to OTLP's string table are for profiles only. Elsewhere they count as empty. */
function isEmpty({ value }: AnyValue): boolean {
  return value.case === undefined || value.case === 'stringValueStrindex'
}

const MAX_COUNT = 2n ** 63n - 1n

/** Returns an attribute that is a non-negative integer; undefined for all other values. */
export function countAttribute(attributes: Attributes, key: string): bigint | undefined {
  const value = attributes.get(key)?.value
  const count = integerOf(value)
  return count === undefined || count < 0n || count > MAX_COUNT ? undefined : count
}

function integerOf(value: AnyValue['value'] | undefined): bigint | undefined {
  if (value?.case === 'intValue') return value.value
  if (value?.case === 'doubleValue')
    return Number.isSafeInteger(value.value) ? BigInt(value.value) : undefined
  if (value?.case === 'stringValue')
    return /^\d{1,19}$/.test(value.value) ? BigInt(value.value) : undefined
  return undefined
}

/** Attributes that are added to a span with the number of what is not stored of it. */
const DROPPED_KEYS = {
  attributes: 'slipway.dropped_attributes',
  events: 'slipway.dropped_events',
} as const

/**
 * Writes attributes as a JSON object within ATTRIBUTE_LIMITS: long values are truncated, and excess
 * attributes are dropped. If attributes or events are dropped, or were before, additional
 * attributes have their number.
 */
export function attributesToJson(
  attributes: Attributes,
  droppedBefore: Removed = NOTHING_REMOVED,
): string {
  const members: string[] = []
  let left: number = ATTRIBUTE_LIMITS.totalBytes
  let dropped = droppedBefore.attributes
  for (const [key, value] of attributes) {
    const room = { left }
    const member =
      members.length < ATTRIBUTE_LIMITS.count ? memberToJson(key, value, room) : undefined
    if (member === undefined || room.left < 0) {
      dropped += 1
      continue
    }
    left = room.left
    members.push(member)
  }
  if (dropped > 0) members.push(`"${DROPPED_KEYS.attributes}":${dropped}`)
  if (droppedBefore.events > 0) members.push(`"${DROPPED_KEYS.events}":${droppedBefore.events}`)
  return `{${members.join(',')}}`
}

function memberToJson(key: string, value: AnyValue, room: Room): string | undefined {
  const name = charge(keyToJson(key), room)
  return room.left < 0 ? undefined : `${name}:${toJson(value, room)}`
}

/** The keys of attributes in JSON: most spans have the same few keys. */
const keysInJson = new Map<string, string>()
const MAX_REMEMBERED = 1_000

function keyToJson(key: string): string {
  const known = keysInJson.get(key)
  if (known !== undefined) return known
  const json = JSON.stringify(cutToBytes(key, ATTRIBUTE_LIMITS.keyBytes))
  if (key.length > ATTRIBUTE_LIMITS.keyBytes) return json
  if (keysInJson.size === MAX_REMEMBERED) keysInJson.clear()
  keysInJson.set(key, json)
  return json
}

/**
 * The number of bytes that may still be written. If it is negative, the text written so far is
 * discarded.
 */
interface Room {
  left: number
}

/** Subtracts the size of a text from the remaining room, and returns the text. */
function charge(text: string, room: Room): string {
  room.left -= text.length + 1
  return text
}

/**
 * Writes a value as JSON. Doesn't use JSON.stringify, so that integers above 2^53 keep their
 * digits.
 */
function toJson(value: AnyValue, room: Room, depth = 0): string {
  const { value: content } = value
  if (content.case !== 'arrayValue' && content.case !== 'kvlistValue')
    return charge(scalarToJson(content), room)
  if (depth === ATTRIBUTE_LIMITS.depth) return charge('null', room)
  if (content.case === 'arrayValue') {
    const { values } = content.value
    return `[${writeEach(values, room, (element) => toJson(element, room, depth + 1))}]`
  }
  return `{${writeEach(content.value.values, room, (member) => {
    const key = charge(JSON.stringify(member.key), room)
    return `${key}:${member.value ? toJson(member.value, room, depth + 1) : charge('null', room)}`
  })}}`
}

type Scalar = Exclude<AnyValue['value'], { case: 'arrayValue' | 'kvlistValue' }>

function scalarToJson(content: Scalar): string {
  switch (content.case) {
    case 'stringValue':
      return JSON.stringify(cutToBytes(content.value, ATTRIBUTE_LIMITS.valueBytes))
    case 'boolValue':
    case 'intValue':
      return String(content.value)
    case 'doubleValue':
      return Number.isFinite(content.value)
        ? String(content.value)
        : JSON.stringify(String(content.value))
    case 'bytesValue':
      return JSON.stringify(
        Buffer.from(content.value.subarray(0, ATTRIBUTE_LIMITS.valueBytes)).toString('base64'),
      )
    case 'stringValueStrindex':
    case undefined:
      return 'null'
  }
}

/** Writes elements while there is room. */
function writeEach<Element>(
  elements: readonly Element[],
  room: Room,
  write: (element: Element) => string,
): string {
  const texts: string[] = []
  room.left -= 2
  for (const element of elements) {
    if (room.left < 0) break
    texts.push(write(element))
  }
  return texts.join(',')
}
