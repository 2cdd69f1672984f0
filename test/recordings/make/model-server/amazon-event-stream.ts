import { crc32 } from 'node:zlib'

/** The type of a body with such events. */
export const AMAZON_EVENT_STREAM = 'application/vnd.amazon.eventstream'

const UINT32_BYTES = 4
/** The length of an event, that of its headers, and a checksum of both. */
const PRELUDE_BYTES = 3 * UINT32_BYTES
/** The type of a header whose value is text. */
const TEXT_HEADER = 7

/** An event with data as JSON, in the encoding of Amazon's streams. */
export function amazonEvent(type: string, data: unknown): Buffer {
  const headers = Buffer.concat([
    header(':event-type', type),
    header(':content-type', 'application/json'),
    header(':message-type', 'event'),
  ])
  const payload = Buffer.from(JSON.stringify(data))
  const length = PRELUDE_BYTES + headers.length + payload.length + UINT32_BYTES
  const prelude = Buffer.concat([uint32(length), uint32(headers.length)])
  const event = Buffer.concat([prelude, uint32(crc32(prelude)), headers, payload])
  return Buffer.concat([event, uint32(crc32(event))])
}

function header(name: string, value: string): Buffer {
  const start = Buffer.concat([Buffer.from([name.length]), Buffer.from(name)])
  return Buffer.concat([start, Buffer.from([TEXT_HEADER, 0, value.length]), Buffer.from(value)])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(UINT32_BYTES)
  bytes.writeUInt32BE(value)
  return bytes
}
