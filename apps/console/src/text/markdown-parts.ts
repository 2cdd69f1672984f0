/** A part of a Markdown text, and how it is shown. */
export interface Part {
  /** `plain` is shown as it is: parsing it could take long. */
  readonly kind: 'markdown' | 'code' | 'plain'
  readonly text: string
}

/** A section is parsed by itself, so that the parser's time grows with the number of sections. */
const SECTION_CHARS = 8_192
const LONGEST_SECTION_CHARS = 2 * SECTION_CHARS
/** What parsing one block, and all of a text, may cost. A unit is about 100 ns. */
export const BLOCK_COST = 100_000
export const TEXT_COST = 500_000
const LINE_COST = 100

const MARKS = new Set('*_~[]!<>`\\&|@:')
const NESTED = /^(?:[ \t]{40}|(?:[ \t]*(?:>|[*+-][ \t]|\d{1,9}[.)][ \t])){13})/
const CONTINUES = /^(?:[ \t]|[*+-][ \t]|\d{1,9}[.)][ \t])/
const FENCE = /^(?:(`{3,})[^`]*|(~{3,}).*)$/

/**
 * Splits a text so that parsing its `markdown` parts takes a bounded time: the parser's time is
 * quadratic in the marks of a block. Code between fences is never parsed, and may be long.
 */
export function partsOf(text: string): Part[] {
  const parts = new Parts()
  const lines = text.replaceAll(/\r\n?/g, '\n').split('\n')
  for (let at = 0; at < lines.length;) {
    if (parts.isFull) {
      parts.addPlain(lines.slice(at))
      break
    }
    const { end, fence } = blockAt(lines, at)
    if (fence === undefined) parts.addBlock(lines.slice(at, end))
    else parts.addCode(lines.slice(at + 1, isFenceEnd(lines[end - 1], fence) ? end - 1 : end))
    at = end
  }
  return parts.list
}

class Parts {
  readonly list: Part[] = []
  #left = TEXT_COST

  /** Nothing more can be parsed. */
  get isFull(): boolean {
    return this.#left <= 0
  }

  addPlain(lines: readonly string[]): void {
    this.#append('plain', lines.join('\n'))
  }

  addCode(lines: readonly string[]): void {
    this.list.push({ kind: 'code', text: lines.join('\n') })
  }

  addBlock(lines: readonly string[]): void {
    const text = `${lines.join('\n')}\n`
    const cost = costOf(text, lines)
    if (cost > BLOCK_COST) {
      this.#append('plain', text)
      return
    }
    this.#left -= cost
    const length = this.list.at(-1)?.text.length ?? 0
    const isLong =
      length + text.length > LONGEST_SECTION_CHARS ||
      (length > SECTION_CHARS && !CONTINUES.test(text))
    if (isLong) this.list.push({ kind: 'markdown', text })
    else this.#append('markdown', text)
  }

  #append(kind: Part['kind'], text: string): void {
    const last = this.list.at(-1)
    if (last?.kind === kind) this.list[this.list.length - 1] = { kind, text: last.text + text }
    else this.list.push({ kind, text })
  }
}

/** A block ends with its blank lines, at its closing fence, or where it is too long. */
function blockAt(lines: readonly string[], start: number): { end: number; fence?: string } {
  const [, ticks, tildes] = FENCE.exec(lines[start] ?? '') ?? []
  const fence = ticks ?? tildes
  let end = start + 1
  if (fence !== undefined) {
    while (end < lines.length && !isFenceEnd(lines[end], fence)) end += 1
    return { end: Math.min(end + 1, lines.length), fence }
  }
  let chars = lines[start]?.length ?? 0
  let wasBlank = false
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? ''
    const isBlank = /^[ \t]*$/.test(line)
    if ((wasBlank && !isBlank) || FENCE.test(line) || chars > SECTION_CHARS) break
    wasBlank = isBlank
    chars += line.length + 1
  }
  return { end }
}

function isFenceEnd(line: string | undefined, fence: string): boolean {
  const closing = line?.trim() ?? ''
  return closing.length >= fence.length && closing === fence.charAt(0).repeat(closing.length)
}

function costOf(text: string, lines: readonly string[]): number {
  if (lines.some((line) => NESTED.test(line))) return Infinity
  let marks = 0
  for (const character of text) if (MARKS.has(character)) marks += 1
  return lines.length * LINE_COST + text.length / 10 + marks * (marks + text.length / 64)
}
