import { MAX_CHILDREN, MAX_SPAN_VALUES } from './bounds.ts'

/** An attribute or event of a span that is too large. */
interface Child {
  readonly key: string
  readonly values: number
}

/** A span keeps at most this many values in its attributes, and in its events. */
const KEPT_VALUES = {
  attributes: (MAX_SPAN_VALUES * 3) / 4,
  events: MAX_SPAN_VALUES / 8,
}
/** An attribute that is a list with more values loses its first elements. */
export const MAX_LIST_VALUES = MAX_SPAN_VALUES / 4
/** The number of attributes that are kept from the start of a long conversation. */
const KEPT_FROM_START = 64

/**
 * Chooses the attributes that a span keeps if it has too many: first those that say what it is and
 * what it used, then others, then the start and the end of a conversation. In a flattened
 * conversation, each field of a message is an attribute with the message's number in its key.
 */
export function chooseAttributes(attributes: readonly Child[]): ReadonlySet<number> {
  const known: number[] = []
  const others: number[] = []
  const numbered: number[] = []
  for (const [index, { key }] of attributes.entries()) {
    const list = /\.\d+(\.|$)/.test(key) ? numbered : KNOWN.test(key) ? known : others
    list.push(index)
  }
  const start = numbered.slice(0, KEPT_FROM_START)
  const end = numbered.slice(KEPT_FROM_START).toReversed()
  const room = MAX_CHILDREN - Math.min(numbered.length, MAX_CHILDREN / 2)
  const plain = [...known, ...others].slice(0, room)
  return fill([...plain, ...start, ...end], attributes, KEPT_VALUES.attributes)
}

const KNOWN = new RegExp(
  '^(gen_ai|llm|ai|openinference|traceloop|langfuse|langsmith|pydantic_ai|mastra|' +
    'session|user|input|output)[.]',
)

/** Chooses the last events: the answer and the exception of a span are among them. */
export function chooseEvents(events: readonly Child[]): ReadonlySet<number> {
  const order = Array.from(events.keys()).toReversed()
  return fill(order, events, KEPT_VALUES.events)
}

function fill(
  order: readonly number[],
  children: readonly Child[],
  maxValues: number,
): ReadonlySet<number> {
  const chosen = new Set<number>()
  let left = maxValues
  for (const index of order) {
    if (chosen.size === MAX_CHILDREN) break
    const values = children[index]?.values ?? Infinity
    if (values > left) continue
    left -= values
    chosen.add(index)
  }
  return chosen
}
