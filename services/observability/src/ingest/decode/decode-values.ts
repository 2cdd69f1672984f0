import type {
  AnyValue,
  ArrayValue,
  KeyValue,
  KeyValueList,
} from '@slipway/proto/opentelemetry/proto/common/v1/common'

import {
  bytesTag,
  fixed64Tag,
  readMessage,
  readWhole,
  varintTag,
  type Fields,
  type ReadField,
} from './read-fields.ts'
import type { RecordReader } from './record-reader.ts'

const KEY_VALUE_FIELDS: Fields<KeyValue> = new Map<number, ReadField<KeyValue>>([
  [bytesTag(1), (pair, reader) => void (pair.key = reader.key())],
  [
    bytesTag(2),
    (pair, ...at) => {
      const value = readAnyValue(...at)
      if (value !== undefined) pair.value = value
    },
  ],
])

const ANY_VALUE_FIELDS: Fields<AnyValue> = new Map<number, ReadField<AnyValue>>([
  [bytesTag(1), (any, reader) => setValue(any, { case: 'stringValue', value: reader.string() })],
  [varintTag(2), (any, reader) => setValue(any, { case: 'boolValue', value: reader.bool() })],
  [
    varintTag(3),
    (any, reader) => setValue(any, { case: 'intValue', value: BigInt(reader.int64()) }),
  ],
  [fixed64Tag(4), (any, reader) => setValue(any, { case: 'doubleValue', value: reader.double() })],
  [bytesTag(5), (any, ...at) => setValue(any, { case: 'arrayValue', value: readArray(...at) })],
  [bytesTag(6), (any, ...at) => setValue(any, { case: 'kvlistValue', value: readList(...at) })],
  [bytesTag(7), (any, reader) => setValue(any, { case: 'bytesValue', value: reader.bytes() })],
])

function setValue(any: AnyValue, value: AnyValue['value']): void {
  any.value = value
}

const ARRAY_FIELDS: Fields<ArrayValue> = new Map<number, ReadField<ArrayValue>>([
  [bytesTag(1), (array, ...at) => void array.values.push(readAnyValue(...at) ?? emptyValue())],
])

const LIST_FIELDS: Fields<KeyValueList> = new Map<number, ReadField<KeyValueList>>([
  [bytesTag(1), (list, ...at) => void list.values.push(readKeyValue(...at))],
])

/** Reads an attribute. It has no value if that can't be read. */
export function readKeyValue(reader: RecordReader, depth: number): KeyValue {
  const pair: KeyValue = {
    $typeName: 'opentelemetry.proto.common.v1.KeyValue',
    key: '',
    keyStrindex: 0,
  }
  if (!readWhole(pair, KEY_VALUE_FIELDS, reader, depth)) delete pair.value
  return pair
}

/** Reads a value; undefined if it can't be read. */
export function readAnyValue(reader: RecordReader, depth: number): AnyValue | undefined {
  const any = emptyValue()
  return readWhole(any, ANY_VALUE_FIELDS, reader, depth) ? any : undefined
}

function emptyValue(): AnyValue {
  return { $typeName: 'opentelemetry.proto.common.v1.AnyValue', value: { case: undefined } }
}

function readArray(reader: RecordReader, depth: number): ArrayValue {
  const array: ArrayValue = { $typeName: 'opentelemetry.proto.common.v1.ArrayValue', values: [] }
  return readMessage(array, ARRAY_FIELDS, reader, depth)
}

function readList(reader: RecordReader, depth: number): KeyValueList {
  const list: KeyValueList = { $typeName: 'opentelemetry.proto.common.v1.KeyValueList', values: [] }
  return readMessage(list, LIST_FIELDS, reader, depth)
}
