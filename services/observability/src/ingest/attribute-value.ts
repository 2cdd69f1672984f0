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
  return new Map(pairs.flatMap(({ key, value }) => (value === undefined ? [] : [[key, value] as const])))
}

/** The text of a text attribute; empty when there is none. */
export function textAttribute(attributes: Attributes, key: string): string {
  const value = attributes.get(key)?.value
  return value?.case === 'stringValue' ? value.value : ''
}

/** An attribute of any type as text: text as it is, everything else as JSON; empty when there is none. */
export function anyAttribute(attributes: Attributes, key: string): string {
  const value = attributes.get(key)
  if (value === undefined) return ''
  return value.value.case === 'stringValue' ? value.value.value : value.value.case === undefined ? '' : toJson(value)
}

const MAX_COUNT = 2n ** 63n - 1n

/** An attribute that counts something; undefined unless it is a whole number that isn't negative. */
export function countAttribute(attributes: Attributes, key: string): bigint | undefined {
  const value = attributes.get(key)?.value
  const count = wholeNumber(value)
  return count === undefined || count < 0n || count > MAX_COUNT ? undefined : count
}

function wholeNumber(value: AnyValue['value'] | undefined): bigint | undefined {
  if (value?.case === 'intValue') return value.value
  if (value?.case === 'doubleValue') return Number.isSafeInteger(value.value) ? BigInt(value.value) : undefined
  if (value?.case === 'stringValue') return /^\d{1,19}$/.test(value.value) ? BigInt(value.value) : undefined
  return undefined
}

/** Attributes as a JSON object within the limits: long values are cut, what is too much is left out. */
export function attributesToJson(attributes: Attributes): string {
  const members: string[] = []
  let total = 0
  for (const [key, value] of attributes) {
    if (members.length === ATTRIBUTE_LIMITS.count) break
    const member = `${JSON.stringify(cutToBytes(key, ATTRIBUTE_LIMITS.keyBytes))}:${toJson(value)}`
    total += member.length
    if (total > ATTRIBUTE_LIMITS.totalBytes) break
    members.push(member)
  }
  return `{${members.join(',')}}`
}

/** A value as JSON. Written by hand, since numbers beyond 2^53 are to keep their digits. */
function toJson(value: AnyValue, depth = 0): string {
  const { value: content } = value
  switch (content.case) {
    case 'stringValue':
      return JSON.stringify(cutToBytes(content.value, ATTRIBUTE_LIMITS.valueBytes))
    case 'boolValue':
    case 'intValue':
      return String(content.value)
    case 'doubleValue':
      return Number.isFinite(content.value) ? String(content.value) : JSON.stringify(String(content.value))
    case 'bytesValue':
      return JSON.stringify(Buffer.from(content.value.subarray(0, ATTRIBUTE_LIMITS.valueBytes)).toString('base64'))
    case 'arrayValue':
      if (depth === ATTRIBUTE_LIMITS.depth) return 'null'
      return `[${content.value.values.map((element) => toJson(element, depth + 1)).join(',')}]`
    case 'kvlistValue':
      if (depth === ATTRIBUTE_LIMITS.depth) return 'null'
      return `{${content.value.values
        .map((member) => `${JSON.stringify(member.key)}:${member.value ? toJson(member.value, depth + 1) : 'null'}`)
        .join(',')}}`
    case undefined:
      return 'null'
  }
}
