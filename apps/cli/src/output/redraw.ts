const ESCAPE = '\u001b['
/** Long lines are cut at the edge in place of wrapped, so that a line takes one row. */
const NO_WRAP = `${ESCAPE}?7l`
const WRAP = `${ESCAPE}?7h`

/** Draws text on a terminal in place of the text before it. */
export class Redraw {
  #rows = 0
  #columns: number | undefined

  /** Returns what to write so that the terminal shows these lines, as many as fit. */
  frame(lines: readonly string[], columns: number, rows: number): string {
    const room = Math.max(1, rows - 1)
    const shown = lines.length <= room ? lines : [...lines.slice(0, room - 1), '…']
    const start = this.#start(columns, room)
    this.#rows = shown.length
    this.#columns = columns
    const text = shown.map((line) => `${line}${ESCAPE}K\n`).join('')
    return `${start}${NO_WRAP}${text}${ESCAPE}J${WRAP}`
  }

  /** Goes back to the first line. After a change of its size, a terminal may have moved lines. */
  #start(columns: number, room: number): string {
    if (this.#columns === undefined) return ''
    const isMoved = this.#columns !== columns || this.#rows > room
    return isMoved ? `${ESCAPE}2J${ESCAPE}H` : `${ESCAPE}${this.#rows}A\r`
  }
}
