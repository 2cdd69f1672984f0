import { fromBinary } from '@bufbuild/protobuf'
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'
import { SpanSchema, type Span } from '@slipway/proto/opentelemetry/proto/trace/v1/trace'

/** Numbers of the fields on the way from a request to its spans. */
const RESOURCE_SPANS = 1
const SCOPE_SPANS = 2
const SPANS = 2

/**
 * The spans of a request in protobuf, one after the other: a large request is never decoded as a whole, which would
 * hold up everybody else. Throws for what is no request.
 */
export function* spansInProtobuf(request: Uint8Array): Iterable<Span> {
  for (const resourceSpans of messagesIn(request, RESOURCE_SPANS)) {
    for (const scopeSpans of messagesIn(resourceSpans, SCOPE_SPANS)) {
      for (const span of messagesIn(scopeSpans, SPANS)) yield fromBinary(SpanSchema, span)
    }
  }
}

/** The encoded messages in one repeated field of a message. */
function* messagesIn(message: Uint8Array, field: number): Iterable<Uint8Array> {
  const reader = new BinaryReader(message)
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag()
    if (number !== field) reader.skip(wireType, number)
    else if (wireType === WireType.LengthDelimited) yield reader.bytes()
    else throw new Error(`field ${number} is no message`)
  }
}
