import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Alias,
  type Document,
  type LineCounter,
  type Node,
  type Pair,
  type Scalar,
} from 'yaml'

import { own, type JsonObject, type JsonValue } from '../json.ts'
import type { Shape } from '../shape/shape.ts'
import { specShape } from '../shape/spec-shape.ts'
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
/** An anchor's node, and its values: its numbers are texts in some places and not in others. */
interface Anchor {
  readonly node: Node
  readonly converted: Map<Shape | undefined, Converted>
  isOpen: boolean
}

const CORE_TAGS = new Set(
  ['map', 'seq', 'str', 'null', 'bool', 'int', 'float'].map((name) => `tag:yaml.org,2002:${name}`),
)
const MAX_SHOWN_LENGTH = 60

/**
 * Converts a composed document to plain JSON, with stricter rules than YAML for aliases, tags, keys
 * and numbers. Where the format has values of variables, a number that JSON writes in another way,
 * such as 1.10, is the text of the file. Throws SpecSyntaxError.
 */
export function toJson(document: Document, lines: LineCounter): JsonValue {
  const anchors = new Map<string, Anchor>()
  // A node that is converted again, for another place, has the anchors that it had at first.
  const anchorOf = new WeakMap<Node, Anchor>()
  let aliases = 0

  function fail(node: Node, message: string): never {
    throw new SpecSyntaxError(message, node.range ? position(node.range[0], lines) : undefined)
  }

  function convert(node: Node | null, shape: Shape | undefined): Converted {
    if (node === null) return { value: null, nodes: 1, weight: 1 }
    if (isAlias(node)) return convertAlias(node, shape)
    if (node.tag && node.tag !== '!' && !CORE_TAGS.has(node.tag))
      fail(node, `the tag ${shortened(node.tag)} is not supported`)
    const anchor = anchorOf.get(node) ?? { node, converted: new Map(), isOpen: false }
    if ('anchor' in node && node.anchor && !anchorOf.has(node)) {
      anchors.set(node.anchor, anchor)
      anchorOf.set(node, anchor)
    }
    anchor.isOpen = true
    const converted = convertContent(node, shape)
    anchor.isOpen = false
    if (converted.nodes > LIMITS.expandedNodes)
      fail(node, `the file has more than ${LIMITS.expandedNodes} values, with aliases expanded`)
    if (converted.weight > LIMITS.expandedWeight)
      fail(node, 'too large when its aliases are expanded')
    anchor.converted.set(shape, converted)
    return converted
  }

  function convertAlias(node: Alias, shape: Shape | undefined): Converted {
    const name = shortened(node.source)
    const known = anchorOf.get(node)
    if (!known && ++aliases > LIMITS.aliases)
      fail(node, `the file has more than ${LIMITS.aliases} aliases`)
    const anchor = known ?? anchors.get(node.source)
    if (!anchor) fail(node, `the alias *${name} has no earlier anchor`)
    if (anchor.isOpen) fail(node, `the alias *${name} refers to itself`)
    anchorOf.set(node, anchor)
    return anchor.converted.get(shape) ?? convert(anchor.node, shape)
  }

  function convertContent(node: Node, shape: Shape | undefined): Converted {
    if (isMap(node)) return convertMap(node.items as Pair<Node, Node | null>[], shape)
    if (isSeq(node)) {
      const of = shapeOfItem(shape)
      const items = (node.items as (Node | null)[]).map((item) => convert(item, of))
      return { value: items.map((item) => item.value), ...weigh(items) }
    }
    if (isScalar(node)) {
      const value = scalarValue(node, shape)
      if (typeof value === 'string') checkText(node, value)
      return { value, nodes: 1, weight: 1 + (typeof value === 'string' ? value.length : 0) }
    }
    return fail(node, 'not supported here')
  }

  function convertMap(pairs: Pair<Node, Node | null>[], shape: Shape | undefined): Converted {
    const entries: [string, JsonValue][] = []
    const values: Converted[] = []
    const seen = new Set<string>()
    for (const { key, value } of pairs) {
      const name = keyOf(key)
      if (seen.has(name)) fail(key, `duplicate key ${shortened(name)}`)
      seen.add(name)
      const converted = convert(value, shapeOfValue(shape, name))
      entries.push([name, converted.value])
      const { nodes, weight } = converted
      values.push({ value: null, nodes, weight: name.length + weight })
    }
    // fromEntries defines own properties, so `__proto__` is an ordinary key.
    return { value: Object.fromEntries(entries) as JsonObject, ...weigh(values) }
  }

  function keyOf(key: Node): string {
    const { value } = convert(key, undefined)
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

  return convert(document.contents as Node | null, specShape).value
}

function shapeOfValue(shape: Shape | undefined, key: string): Shape | undefined {
  if (shape?.kind === 'object') return own(shape.fields, key)
  return shape?.kind === 'map' ? shape.of : shape?.kind === 'any' ? shape : undefined
}

function shapeOfItem(shape: Shape | undefined): Shape | undefined {
  const isList = shape?.kind === 'list' || (shape?.kind === 'map' && shape.orList)
  return isList ? shape.of : shape?.kind === 'any' ? shape : undefined
}

// Numbers that JSON can't represent exactly (infinities and integers beyond 2^53) become strings.
function scalarValue(node: Scalar, shape: Shape | undefined): JsonValue {
  const { value, source } = node
  if (typeof value === 'string' || value === null) return value
  const isValue = shape?.kind === 'scalar' || shape?.kind === 'any'
  if (typeof value === 'boolean') {
    const isText = shape?.kind === 'scalar' && shape.isText === true
    return isText && source !== undefined ? source : value
  }
  if (typeof value === 'number') {
    if (isValue && source !== undefined && source !== JSON.stringify(value)) return source
    const exact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value)
    return exact ? value : (source ?? String(value))
  }
  return source ?? ''
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
