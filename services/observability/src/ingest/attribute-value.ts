import type { AnyValue, KeyValue } from '@slipway/proto/opentelemetry/proto/common/v1/common'

import { cutToBytes } from '../domain/text.ts'

/** Attributes of one span by key; the last one counts where a key stands twice. */
export type Attributes = ReadonlyMap<string, AnyValue>

/** Bounds of what is kept of a span's attributes. */
export const ATTRIBUTE_LIMITS = {
  count: 128,
  keyBytes: 256,
  valueBytes: 16 * 1024,
  totalBytes: 64 * 1024,
  /** Lists and maps inside each other. */
  depth: 8,
} as const

/** Attributes by key. */
export function toAttributes(pairs: readonly KeyValue[]): Attributes {
  return new Map(
    pairs.flatMap(({ key, value }) => (value === undefined ? [] : [[key, value] as const])),
  )
}

/** The text of a text attribute; empty when there is none. */
export function textAttribute(attributes: Attributes, key: string): string {
  const value = attributes.get(key)?.value
  return value?.case === 'stringValue' ? value.value : ''
}

/** Most JSON that is made of one attribute to read texts in it. */
const MAX_STRUCTURE_BYTES = 1024 * 1024

/**
 * An attribute of any type as text: text as it is, everything else as JSON; empty when there is
 * none.
 */
export function anyAttribute(attributes: Attributes, key: string): string {
  const value = attributes.get(key)
  if (value === undefined) return ''
  if (value.value.case === 'stringValue') return value.value.value
  return value.value.case === undefined ? '' : toJson(value, { left: MAX_STRUCTURE_BYTES })
}

const MAX_COUNT = 2n ** 63n - 1n

/**
 * An attribute that counts something; undefined unless it is a whole number that isn't negative.
 */
export function countAttribute(attributes: Attributes, key: string): bigint | undefined {
  const value = attributes.get(key)?.value
  const count = wholeNumber(value)
  return count === undefined || count < 0n || count > MAX_COUNT ? undefined : count
}

function wholeNumber(value: AnyValue['value'] | undefined): bigint | undefined {
  if (value?.case === 'intValue') return value.value
  if (value?.case === 'doubleValue')
    return Number.isSafeInteger(value.value) ? BigInt(value.value) : undefined
  if (value?.case === 'stringValue')
    return /^\d{1,19}$/.test(value.value) ? BigInt(value.value) : undefined
  return undefined
}

/** Says how many attributes were left out. */
const DROPPED_KEY = 'slipway.dropped_attributes'

/**
 * Attributes as a JSON object within the limits: long values are cut, what is too much is left out,
 * and how many those were is said in one more attribute.
 */
export function attributesToJson(attributes: Attributes): string {
  const members: string[] = []
  let left: number = ATTRIBUTE_LIMITS.totalBytes
  let dropped = 0
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
  if (dropped > 0) members.push(`"${DROPPED_KEY}":${dropped}`)
  return `{${members.join(',')}}`
}

function memberToJson(key: string, value: AnyValue, room: Room): string | undefined {
  const name = written(JSON.stringify(cutToBytes(key, ATTRIBUTE_LIMITS.keyBytes)), room)
  return room.left < 0 ? undefined : `${name}:${toJson(value, room)}`
}

/**
 * How much may still be written; below zero when it was too much, and what is written then is of no
 * use.
 */
interface Room {
  left: number
}

function written(text: string, room: Room): string {
  room.left -= text.length + 1
  return text
}

/** A value as JSON. Written by hand, since numbers beyond 2^53 are to keep their digits. */
function toJson(value: AnyValue, room: Room, depth = 0): string {
  const { value: content } = value
  if (content.case !== 'arrayValue' && content.case !== 'kvlistValue')
    return written(scalarToJson(content), room)
  if (depth === ATTRIBUTE_LIMITS.depth) return written('null', room)
  if (content.case === 'arrayValue') {
    return `[${writeEach(content.value.values, room, (element) => toJson(element, room, depth + 1))}]`
  }
  return `{${writeEach(content.value.values, room, (member) => {
    const key = written(JSON.stringify(member.key), room)
    return `${key}:${member.value ? toJson(member.value, room, depth + 1) : written('null', room)}`
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
    case undefined:
      return 'null'
  }
}

/** Writes elements as long as there is room. */
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
