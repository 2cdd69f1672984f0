import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Document,
  type LineCounter,
  type Node,
  type Pair,
  type Scalar,
} from 'yaml'

import type { JsonObject, JsonValue } from '../json.ts'
import { SpecSyntaxError } from '../spec-syntax-error.ts'
import { LIMITS } from './limits.ts'
import { position } from './tokens.ts'

interface Converted {
  readonly value: JsonValue
  /** Nodes in the value, with aliases expanded. */
  readonly nodes: number
  /** Nodes and characters in the value, with aliases expanded. */
  readonly weight: number
}
/** An anchor's value; `converted` is missing while its own node is being converted. */
interface Anchor {
  converted?: Converted
}

const CORE_TAGS = new Set(
  ['map', 'seq', 'str', 'null', 'bool', 'int', 'float'].map((name) => `tag:yaml.org,2002:${name}`),
)
const MAX_SHOWN_LENGTH = 60

/**
 * Converts a composed document to plain JSON, with stricter rules than YAML for aliases, tags, keys
 * and numbers. Throws SpecSyntaxError.
 */
export function toJson(document: Document, lines: LineCounter): JsonValue {
  const anchors = new Map<string, Anchor>()
  let aliases = 0

  function fail(node: Node, message: string): never {
    throw new SpecSyntaxError(message, node.range ? position(node.range[0], lines) : undefined)
  }

  function convert(node: Node | null): Converted {
    if (node === null) return { value: null, nodes: 1, weight: 1 }
    if (isAlias(node)) return convertAlias(node, node.source)
    if (node.tag && node.tag !== '!' && !CORE_TAGS.has(node.tag))
      fail(node, `the tag ${shortened(node.tag)} is not supported`)
    const anchor: Anchor = {}
    if ('anchor' in node && node.anchor) anchors.set(node.anchor, anchor)
    const converted = convertContent(node)
    if (converted.nodes > LIMITS.expandedNodes)
      fail(node, `the file has more than ${LIMITS.expandedNodes} values, with aliases expanded`)
    if (converted.weight > LIMITS.expandedWeight)
      fail(node, 'too large when its aliases are expanded')
    anchor.converted = converted
    return converted
  }

  function convertAlias(node: Node, source: string): Converted {
    if (++aliases > LIMITS.aliases) fail(node, `the file has more than ${LIMITS.aliases} aliases`)
    const anchor = anchors.get(source)
    if (!anchor) fail(node, `the alias *${shortened(source)} has no earlier anchor`)
    if (!anchor.converted) fail(node, `the alias *${shortened(source)} refers to itself`)
    return anchor.converted
  }

  function convertContent(node: Node): Converted {
    if (isMap(node)) return convertMap(node.items as Pair<Node, Node | null>[])
    if (isSeq(node)) {
      const items = (node.items as (Node | null)[]).map(convert)
      return { value: items.map((item) => item.value), ...weigh(items) }
    }
    if (isScalar(node)) {
      const value = scalarValue(node)
      if (typeof value === 'string') checkText(node, value)
      return { value, nodes: 1, weight: 1 + (typeof value === 'string' ? value.length : 0) }
    }
    return fail(node, 'not supported here')
  }

  function convertMap(pairs: Pair<Node, Node | null>[]): Converted {
    const entries: [string, JsonValue][] = []
    const values: Converted[] = []
    const seen = new Set<string>()
    for (const { key, value } of pairs) {
      const name = keyOf(key)
      if (seen.has(name)) fail(key, `duplicate key ${shortened(name)}`)
      seen.add(name)
      const converted = convert(value)
      entries.push([name, converted.value])
      const { nodes, weight } = converted
      values.push({ value: null, nodes, weight: name.length + weight })
    }
    // fromEntries defines own properties, so `__proto__` is an ordinary key.
    return { value: Object.fromEntries(entries) as JsonObject, ...weigh(values) }
  }

  function keyOf(key: Node): string {
    const { value } = convert(key)
    if (typeof value !== 'string') fail(key, 'keys must be strings')
    if (value === '<<' && isScalar(key) && key.type === 'PLAIN') {
      fail(key, 'merge keys (<<) are not part of YAML 1.2: write the keys out')
    }
    return value
  }

  function checkText(node: Node, text: string): void {
    if (text.includes('\0')) fail(node, 'text must not contain NUL')
    if (!text.isWellFormed()) fail(node, 'text must not contain unpaired surrogates')
  }

  return convert(document.contents as Node | null).value
}

// Numbers that JSON can't represent exactly (infinities and integers beyond 2^53) become strings.
function scalarValue(node: Scalar): JsonValue {
  const { value } = node
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
  if (typeof value === 'number') {
    const exact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value)
    return exact ? value : (node.source ?? String(value))
  }
  return node.source ?? ''
}

function weigh(parts: readonly Converted[]): Omit<Converted, 'value'> {
  let [nodes, weight] = [1, 1]
  for (const part of parts) {
    nodes += part.nodes
    weight += part.weight
  }
  return { nodes, weight }
}

function shortened(text: string): string {
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text
}
