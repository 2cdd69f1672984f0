import type { Text } from './blocks.ts'
import { cleanLine } from './clean.ts'
import type { Printer } from './printer.ts'
import { shorten } from './width.ts'

const ESCAPE = '\u001b['

/**
 * Lines that change in place on a terminal, below what was printed before. In a pipe, only lines
 * that are new or have changed are printed, one after the other.
 */
export class LiveLines {
  readonly #printer: Printer
  #shown: readonly string[] = []

  constructor(printer: Printer) {
    this.#printer = printer
  }

  /** The most lines that fit. */
  get most(): number {
    return this.#printer.hasLiveProgress ? this.#printer.progressRows : Infinity
  }

  /**
   * Shows these lines in place of those before, each shortened to the width of the terminal and
   * without what could change its state.
   */
  update(lines: readonly Text[]): void {
    const before = this.#shown
    this.#shown = lines.map(({ text }) => cleanLine(text))
    if (!this.#printer.hasLiveProgress) {
      for (const line of this.#shown) if (!before.includes(line)) this.#printer.say(line)
      return
    }
    // A line that fills the last column would begin another row.
    const columns = this.#printer.progressScreen.columns - 1
    const up = before.length === 0 ? '' : `${ESCAPE}${before.length}A`
    const text = this.#shown.map((line, index) => {
      const styled = this.#printer.styled(shorten(line, columns), lines[index]?.style)
      return `${ESCAPE}2K${styled}\n`
    })
    this.#printer.progress(`${up}\r${text.join('')}${ESCAPE}0J`)
  }

  /** Leaves the lines as they are. What follows is printed below. */
  end(): void {
    this.#shown = []
  }
}
