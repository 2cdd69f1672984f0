import { isAlias, isMap, isScalar, isSeq, type Node, type Pair } from 'yaml'

import { parseTree, type SpecTree } from '../parse/parse-spec.ts'
import { position } from '../parse/tokens.ts'
import { joinField } from '../shape/check-shape.ts'

/** A place in a text; both numbers begin at 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** Where a file has a field, or what is nearest to it. */
export interface FieldPlace {
  /** The key, or the item of a list. */
  readonly key: Position
  /** The value, if it is on the same line as its key. */
  readonly value: Position | undefined
  /** False if the file doesn't have the field; the key is then the one that should contain it. */
  readonly isExact: boolean
}

/** A node that was reached, with the node that names it. */
interface Found {
  readonly name: Node | undefined
  readonly node: Node | null
}

/**
 * Returns a function that finds the fields of warnings, such as `tools.search.container.port`, in
 * the text of a spec file. It parses the text again, so the server's path doesn't pay for it.
 * Throws SpecSyntaxError for text that parseSpec doesn't accept as YAML.
 */
export function locateFields(text: string): (field: string) => FieldPlace {
  const tree = parseTree(text)
  return (field) => {
    const path: Found[] = [{ name: undefined, node: tree.document.contents }]
    const isExact = descend(tree, field, path)
    return placeOf(tree, path.at(-1), isExact)
  }
}

/** Follows a field as far as the file has it, and adds what it reaches to `path`. */
function descend(tree: SpecTree, rest: string, path: Found[]): boolean {
  if (rest === '') return true
  const reached = path.at(-1)?.node ?? null
  const node = isAlias(reached) ? (reached.resolve(tree.document) ?? null) : reached
  let furthest: Found[] = []
  for (const [segment, found] of childrenOf(node, rest)) {
    const below = [found]
    if (descend(tree, rest.slice(segment.length).replace(/^\./, ''), below)) {
      path.push(...below)
      return true
    }
    if (below.length > furthest.length) furthest = below
  }
  path.push(...furthest)
  return false
}

/** The children with which the rest of a field begins; keys may contain dots. */
function childrenOf(node: Node | null, rest: string): [segment: string, child: Found][] {
  if (isSeq(node)) {
    const [segment = '', index] = /^\[(\d+)\]/.exec(rest) ?? []
    const item = index === undefined ? undefined : (node.items[Number(index)] as Node | undefined)
    return item === undefined ? [] : [[segment, { name: item, node: item }]]
  }
  if (!isMap(node)) return []
  return (node.items as Pair<Node, Node | null>[]).flatMap(({ key, value }) => {
    const name = isScalar(key) ? String(key.value) : ''
    // Warnings shorten long keys, but not in every field.
    const segment = [name, joinField('', name)].find((each) => isStart(rest, each))
    return segment === undefined ? [] : [[segment, { name: key, node: value }]]
  })
}

function isStart(rest: string, segment: string): boolean {
  const next = rest[segment.length]
  return rest.startsWith(segment) && (next === undefined || next === '.' || next === '[')
}

function placeOf(tree: SpecTree, found: Found | undefined, isExact: boolean): FieldPlace {
  const key = startOf(tree, found?.name) ?? { line: 1, column: 1 }
  const value = startOf(tree, found?.node ?? undefined)
  return { key, value: value?.line === key.line ? value : undefined, isExact }
}

function startOf({ lines }: SpecTree, node: Node | undefined): Position | undefined {
  const start = node?.range?.[0]
  return start === undefined ? undefined : position(start, lines)
}
