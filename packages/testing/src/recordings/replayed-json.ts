import type { Change } from './change.ts'

const TIME = /"(\w*[tT]imeUnixNano)":\s*"?(\d+)"?/g
// Some senders encode ids in base64, as protobuf's JSON does, instead of in hexadecimal digits.
const ID = /"(traceId|spanId|parentSpanId)":\s*"([^"]+)"/g

/** Replaces the times and ids in OTLP as JSON. */
export function replayedJson(body: Buffer, { time, id }: Change): Buffer {
  const text = body
    .toString('utf8')
    .replaceAll(TIME, (member, name: string, digits: string) =>
      member.replace(digits, String(time(BigInt(digits)))),
    )
    .replaceAll(ID, (member, name: string, given: string) => {
      const encoding = /^([0-9a-fA-F]{16}|[0-9a-fA-F]{32})$/.test(given) ? 'hex' : 'base64'
      return member.replace(given, id(Buffer.from(given, encoding)).toString(encoding))
    })
  return Buffer.from(text)
}
