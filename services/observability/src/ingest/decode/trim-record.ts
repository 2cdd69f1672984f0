import type { AnyValue, KeyValue } from '@slipway/proto/opentelemetry/proto/common/v1/common'
import type { Span_Event } from '@slipway/proto/opentelemetry/proto/trace/v1/trace'

import { MAX_CHILDREN, MAX_SPAN_DEPTH, MAX_SPAN_VALUES } from './bounds.ts'
import { chooseAttributes, chooseEvents, MAX_LIST_VALUES } from './choose-children.ts'
import { NOTHING_REMOVED, type Removed } from './decoded-record.ts'

/** A span, or a log record, which has no events. */
interface Trimmable {
  attributes: KeyValue[]
  events?: Span_Event[]
}

/**
 * Removes attributes and events from a decoded span or log record if it has too many of them or too
 * many values in them. Returns how many.
 */
export function trimRecord(record: Trimmable): Removed {
  const { attributes, events = [] } = record
  const isSmall = attributes.length <= MAX_CHILDREN && events.length <= MAX_CHILDREN
  if (isSmall && countIn(attributes, 2) + countInEvents(events) <= MAX_SPAN_VALUES)
    return NOTHING_REMOVED
  const shortened = attributes.map(shortenList)
  const keptAttributes = chooseAttributes(
    shortened.map((pair) => ({ key: pair.key, values: countPair(pair, 2) })),
  )
  const keptEvents = chooseEvents(events.map((event) => ({ key: '', values: countEvent(event) })))
  record.attributes = shortened.filter((_, index) => keptAttributes.has(index))
  if (events.length > 0) record.events = events.filter((_, index) => keptEvents.has(index))
  return {
    attributes: attributes.length - keptAttributes.size,
    events: events.length - keptEvents.size,
  }
}

/** Removes the first elements of an attribute that is a long list, such as a conversation. */
function shortenList(pair: KeyValue): KeyValue {
  const list = pair.value?.value
  if (list?.case !== 'arrayValue') return pair
  const { values } = list.value
  let left = MAX_LIST_VALUES
  const first = values.findLastIndex((value) => {
    left -= 1 + countValue(value, 5)
    return left < 0
  })
  if (first < 0 || first === values.length - 1) return pair
  const kept: AnyValue['value'] = {
    case: 'arrayValue',
    value: { ...list.value, values: values.slice(first + 1) },
  }
  return { ...pair, value: { $typeName: 'opentelemetry.proto.common.v1.AnyValue', value: kept } }
}

/**
 * Counts the values in a value, at any depth; Infinity if they are nested too deeply. `depth` is
 * that of the value among the messages of its record.
 */
function countValue({ value: content }: AnyValue, depth: number): number {
  if (depth > MAX_SPAN_DEPTH) return Infinity
  if (content.case === 'kvlistValue') return 1 + countIn(content.value.values, depth + 2)
  if (content.case !== 'arrayValue') return content.case === undefined ? 0 : 1
  let count = 1
  for (const element of content.value.values) count += 1 + countValue(element, depth + 2)
  return count
}

/** Counts attributes, or the members of a map, and the values in them. */
function countIn(pairs: readonly KeyValue[], depth: number): number {
  let count = 0
  for (const pair of pairs) count += 1 + countPair(pair, depth)
  return count
}

function countPair({ value }: KeyValue, depth: number): number {
  return value === undefined ? 1 : 2 + countValue(value, depth + 1)
}

function countInEvents(events: readonly Span_Event[]): number {
  let count = 0
  for (const event of events) count += 1 + countEvent(event)
  return count
}

/** Counts the name and the time of an event, and the values in its attributes. */
function countEvent({ attributes }: Span_Event): number {
  return 2 + countIn(attributes, 3)
}
