import type { Printer } from './printer.ts'

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

  /** Shows these lines in place of those before. A line must fit the width of the terminal. */
  update(lines: readonly string[]): void {
    if (!this.#printer.hasLiveProgress) {
      for (const line of lines) if (!this.#shown.includes(line)) this.#printer.say(line)
      this.#shown = lines
      return
    }
    const up = this.#shown.length === 0 ? '' : `${ESCAPE}${this.#shown.length}A`
    const text = lines.map((line) => `${ESCAPE}2K${line}\n`).join('')
    this.#printer.progress(`${up}\r${text}${ESCAPE}0J`)
    this.#shown = lines
  }

  /** Leaves the lines as they are. What follows is printed below. */
  end(): void {
    this.#shown = []
  }
}
