import { WireType } from '@bufbuild/protobuf/wire'

import { READ_DEPTH } from './bounds.ts'
import { TooManyFields, type RecordReader } from './record-reader.ts'

/** Reads a field into the message that it is part of. `depth` is that of the message. */
export type ReadField<Message> = (message: Message, reader: RecordReader, depth: number) => void

/** How the fields of a message are read, by their tags. Others are skipped. */
export type Fields<Message> = ReadonlyMap<number, ReadField<Message>>

export const bytesTag = (field: number) => (field << 3) | WireType.LengthDelimited
export const varintTag = (field: number) => (field << 3) | WireType.Varint
export const fixed32Tag = (field: number) => (field << 3) | WireType.Bit32
export const fixed64Tag = (field: number) => (field << 3) | WireType.Bit64

/** Reads a whole record. Throws if its own fields can't be read. */
export function readRecord<Message>(
  message: Message,
  fields: Fields<Message>,
  reader: RecordReader,
): Message {
  readFields(message, fields, reader, { end: reader.len, depth: 1 })
  return message
}

/** Reads what can be read of a message. */
export function readMessage<Message>(
  message: Message,
  fields: Fields<Message>,
  reader: RecordReader,
  depth: number,
): Message {
  readWhole(message, fields, reader, depth)
  return message
}

/** Reads a message, and returns whether all of it could be read. The reader is then at its end. */
export function readWhole<Message>(
  message: Message,
  fields: Fields<Message>,
  reader: RecordReader,
  outerDepth: number,
): boolean {
  const depth = outerDepth + 1
  const end = reader.uint32() + reader.pos
  const outerEnd = reader.len
  if (end > outerEnd) throw new RangeError('the message is truncated')
  try {
    // Otherwise each of many small messages could read all the bytes that follow it.
    reader.len = end
    if (depth > READ_DEPTH) throw new Error('the message is nested too deeply')
    readFields(message, fields, reader, { end, depth })
    return true
  } catch (error) {
    if (error instanceof TooManyFields) throw error
    reader.pos = end
    return false
  } finally {
    reader.len = outerEnd
  }
}

function readFields<Message>(
  message: Message,
  fields: Fields<Message>,
  reader: RecordReader,
  { end, depth }: { readonly end: number; readonly depth: number },
): void {
  while (reader.pos < end) {
    const tag = reader.nextTag()
    const read = fields.get(tag)
    if (read === undefined) reader.skipField(tag)
    else read(message, reader, depth)
  }
  if (reader.pos > end) throw new RangeError('a field is longer than its message')
}
