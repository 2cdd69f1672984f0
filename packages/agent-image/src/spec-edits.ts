import { isAlias, isMap, isScalar, isSeq, type Node, type Pair } from 'yaml'

/** A part of a text, and what replaces it. */
export interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Returns a text in which parts that don't overlap are replaced. */
export function replaceParts(source: string, edits: readonly Edit[]): string {
  let text = ''
  let end = 0
  for (const edit of [...edits].sort((a, b) => a.from - b.from)) {
    text += source.slice(end, edit.from) + edit.text
    end = edit.to
  }
  return text + source.slice(end)
}

/** Where the text of a node ends, without the comments and lines after it. */
export function endOf(node: Node, source: string): number {
  const isFlow = (isMap(node) || isSeq(node)) && node.flow === true
  if (isMap(node) && !isFlow) {
    const { key, value } = (node.items as Pair<Node, Node | null>[]).at(-1) ?? {}
    const last = value ?? key
    if (last) return endOf(last, source)
  }
  if (isSeq(node) && !isFlow) {
    const last = (node.items as (Node | null)[]).at(-1)
    if (last) return endOf(last, source)
  }
  // The text of a block scalar has the line breaks after it.
  return source.slice(0, node.range?.[1]).trimEnd().length
}

/** The text of a node in flow style, on one line. Its scalars are as in the source. */
export function inFlow(node: Node | null, source: string): string {
  if (node === null) return '~'
  if (isAlias(node)) return `*${node.source}`
  const anchor = 'anchor' in node && node.anchor ? `&${node.anchor} ` : ''
  return anchor + contentInFlow(node, source)
}

function contentInFlow(node: Node, source: string): string {
  if (isMap(node)) {
    const members = (node.items as Pair<Node, Node | null>[]).map(
      ({ key, value }) => `${inFlow(key, source)}: ${inFlow(value, source)}`,
    )
    return `{ ${members.join(', ')} }`
  }
  if (isSeq(node))
    return `[${(node.items as (Node | null)[]).map((item) => inFlow(item, source)).join(', ')}]`
  if (!isScalar(node)) return '~'
  if (typeof node.value !== 'string') return node.source === '' ? '~' : (node.source ?? '~')
  const text = source.slice(...(node.range ?? [0, 0]))
  const isSafe = node.type === 'PLAIN' ? /^[\w./@+=-]+$/.test(text) : /^(["'])[^\n]*\1$/.test(text)
  return isSafe ? text : JSON.stringify(node.value)
}
