import type { JsonObject, JsonValue } from '@bufbuild/protobuf'

import { MAX_CHILDREN, MAX_SPAN_DEPTH, MAX_SPAN_VALUES } from './bounds.ts'
import {
  chooseAttributes,
  chooseEvents,
  chooseLinks,
  KEPT_VALUES,
  MAX_LIST_VALUES,
  type Child,
} from './choose-children.ts'
import { NOTHING_REMOVED, type Removed } from './decoded-span.ts'

/** A list in a message of protobuf is an object with a list in JSON. */
const MAX_DEPTH = 2 * MAX_SPAN_DEPTH

/**
 * Removes attributes, events and links from a span in JSON if it has too many of them or too many
 * values, as `trimSpan` does. Returns the same object for all other spans.
 */
export function trimJsonSpan(span: JsonObject): { span: JsonObject; removed: Removed } {
  const lists = [span['attributes'], span['events'], span['links']].map((list) =>
    Array.isArray(list) ? list : [],
  )
  const [attributes = [], events = [], links = []] = lists
  const isSmall = lists.every(({ length }) => length <= MAX_CHILDREN)
  if (isSmall && countValues(span, MAX_SPAN_VALUES) <= MAX_SPAN_VALUES)
    return { span, removed: NOTHING_REMOVED }
  const shortened = attributes.map(shortenList)
  const keptAttributes = keep(shortened, chooseAttributes)
  const keptEvents = keep(events, chooseEvents)
  const own = Object.entries(span).filter(([key, value]) => key === 'status' || !isContainer(value))
  return {
    span: {
      ...Object.fromEntries(own),
      attributes: keptAttributes,
      events: keptEvents,
      links: keep(links, chooseLinks),
    },
    removed: {
      attributes: attributes.length - keptAttributes.length,
      events: events.length - keptEvents.length,
    },
  }
}

function keep(
  children: readonly JsonValue[],
  choose: (children: readonly Child[]) => ReadonlySet<number>,
): JsonValue[] {
  const chosen = choose(
    children.map((child) => ({
      key: keyOf(child),
      values: countValues(child, KEPT_VALUES.attributes),
    })),
  )
  return children.filter((_, index) => chosen.has(index))
}

/** Removes the first elements of an attribute that is a long list, such as a conversation. */
function shortenList(attribute: JsonValue): JsonValue {
  const value = isObject(attribute) ? attribute['value'] : undefined
  const list = isObject(value) ? (value['arrayValue'] ?? value['array_value']) : undefined
  const elements = isObject(list) ? list['values'] : undefined
  if (!isObject(attribute) || !Array.isArray(elements)) return attribute
  let left = MAX_LIST_VALUES
  const first = elements.findLastIndex((element) => {
    left -= 1 + countValues(element, left)
    return left < 0
  })
  if (first < 0 || first === elements.length - 1) return attribute
  return { ...attribute, value: { arrayValue: { values: elements.slice(first + 1) } } }
}

/**
 * Counts the values in a value, at any depth. Returns Infinity if there are more than `limit`, or
 * if they are nested too deeply.
 */
function countValues(value: JsonValue, limit: number, depth = 0): number {
  if (!isContainer(value)) return 0
  if (depth > MAX_DEPTH) return Infinity
  let count = 0
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    count += 1 + countValues(inner ?? null, limit - count, depth + 1)
    if (count > limit) return Infinity
  }
  return count
}

function keyOf(child: JsonValue): string {
  const key = isObject(child) ? child['key'] : undefined
  return typeof key === 'string' ? key : ''
}

function isContainer(value: JsonValue | undefined): value is JsonObject | JsonValue[] {
  return typeof value === 'object' && value !== null
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return isContainer(value) && !Array.isArray(value)
}
