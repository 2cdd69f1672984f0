import type { Change } from './change.ts'

/** Where a message has times, ids and other messages with them, by field number. */
interface Message {
  readonly [field: number]: 'time' | 'id' | Message
}

const SPAN: Message = {
  1: 'id',
  2: 'id',
  4: 'id',
  7: 'time',
  8: 'time',
  11: { 1: 'time' },
  13: { 1: 'id', 2: 'id' },
}
const LOG_RECORD: Message = { 1: 'time', 11: 'time', 9: 'id', 10: 'id' }

/** Requests have their records in resources, in scopes: always in fields 1, 2 and 2. */
const REQUESTS = {
  '/v1/traces': { 1: { 2: { 2: SPAN } } },
  '/v1/logs': { 1: { 2: { 2: LOG_RECORD } } },
} as const satisfies Record<string, Message>

/** Replaces the times and ids in OTLP as protobuf. Everything else stays byte for byte. */
export function replayedProtobuf(
  path: keyof typeof REQUESTS,
  body: Buffer,
  change: Change,
): Buffer {
  const copy = Buffer.from(body)
  changeMessage(copy, REQUESTS[path], change)
  return copy
}

function changeMessage(bytes: Buffer, message: Message, change: Change): void {
  let at = 0
  while (at < bytes.length) {
    const tag = readVarint(bytes, at)
    const [field, wireType] = [tag.value >>> 3, tag.value & 7]
    at = tag.end
    const end = endOfValue(bytes, at, wireType)
    const start = wireType === 2 ? readVarint(bytes, at).end : at
    changeValue(bytes.subarray(start, end), message[field], change)
    at = end
  }
}

function changeValue(value: Buffer, kind: Message[number] | undefined, change: Change): void {
  if (kind === 'time') value.writeBigUInt64LE(change.time(value.readBigUInt64LE()))
  else if (kind === 'id') value.set(change.id(Buffer.from(value)))
  else if (kind !== undefined) changeMessage(value, kind, change)
}

function endOfValue(bytes: Buffer, at: number, wireType: number): number {
  if (wireType === 0) return readVarint(bytes, at).end
  if (wireType === 1) return at + 8
  if (wireType === 5) return at + 4
  if (wireType !== 2) throw new Error(`unknown wire type ${wireType}`)
  const length = readVarint(bytes, at)
  return length.end + length.value
}

/** Reads a varint; bits above 2^32 are lost, which only values of unread fields have. */
function readVarint(bytes: Buffer, start: number): { value: number; end: number } {
  let value = 0
  let at = start
  for (; (bytes[at] ?? 0) & 0x80; at += 1) value |= ((bytes[at] ?? 0) & 0x7f) << (7 * (at - start))
  value |= (bytes[at] ?? 0) << (7 * (at - start))
  return { value: value >>> 0, end: at + 1 }
}
