import { EventEmitter, once } from 'node:events'

import type { Block } from './blocks.ts'
import { clean } from './clean.ts'
import { renderPlain } from './render-plain.ts'
import { Redraw } from './redraw.ts'
import { renderForTerminal, type Screen } from './render-terminal.ts'
import { paint, type Style } from './style.ts'
import { columnsOf, rowsOf, usesColor, type Output } from './terminal.ts'

/** In which form results are printed. */
export type Format = 'text' | 'json' | 'yaml'

/** The outputs of a process, and its environment. */
export interface PrinterOptions {
  readonly stdout: Output
  readonly stderr: Output
  readonly env: NodeJS.ProcessEnv
  readonly format: Format
  readonly quiet: boolean
}

/** Prints results to standard output, and all else to standard error. */
export class Printer {
  readonly format: Format
  /** Whether a person sees the results. */
  readonly isTerminal: boolean
  /** Whether a person sees the progress. */
  readonly hasLiveProgress: boolean
  /** Whether questions can be shown, also with `--quiet`. */
  readonly hasTerminalForQuestions: boolean
  readonly #options: PrinterOptions
  readonly #colorsErrors: boolean
  readonly #redraw = new Redraw()

  constructor(options: PrinterOptions) {
    this.#options = options
    this.format = options.format
    this.isTerminal = options.stdout.isTTY === true
    this.hasTerminalForQuestions = options.stderr.isTTY === true
    this.hasLiveProgress = this.hasTerminalForQuestions && !options.quiet
    this.#colorsErrors = usesColor(options.stderr, options.env)
  }

  /** The terminal of the results. Its width changes with the window. */
  get screen(): Screen {
    const { stdout, env } = this.#options
    return { columns: columnsOf(stdout, env), color: usesColor(stdout, env) }
  }

  /** Prints blocks: aligned on a terminal, and separated by tabs in a pipe. */
  show(blocks: readonly Block[]): void {
    this.#options.stdout.write(rendered(blocks, this.isTerminal ? this.screen : undefined))
    for (const block of blocks) if (block.kind === 'hint' && this.isTerminal) this.say(block.text)
  }

  /**
   * Prints blocks about the progress to standard error, unless `--quiet` is given. What a question
   * is about is always printed.
   */
  explain(blocks: readonly Block[], { isAsked = false } = {}): void {
    const screen = this.hasTerminalForQuestions ? this.progressScreen : undefined
    if (isAsked || !this.#options.quiet) this.#options.stderr.write(rendered(blocks, screen))
  }

  /** Shows blocks on a terminal in place of those that were shown with this before. */
  replace(blocks: readonly Block[]): void {
    const { screen } = this
    const { stdout } = this.#options
    const all = rendered(blocks, screen).trimEnd().split('\n')
    stdout.write(this.#redraw.frame(all, screen.columns, rowsOf(stdout)))
  }

  /** Prints a text as it is. */
  raw(text: string): void {
    this.#options.stdout.write(text)
  }

  /** Prints a text of others: on a terminal, without what could change the terminal's state. */
  rawText(text: string): void {
    this.raw(this.isTerminal ? clean(text) : text)
  }

  /** Prints a piece of a long text of others, and waits until there is room for the next one. */
  async rawPiece(text: string, signal: AbortSignal): Promise<void> {
    const { stdout } = this.#options
    const hasRoom = stdout.write(this.isTerminal ? clean(text) : text)
    if (hasRoom === false && stdout instanceof EventEmitter) await once(stdout, 'drain', { signal })
  }

  /** Prints a line about the progress, unless `--quiet` is given. */
  say(line: string, style: Style = 'faint'): void {
    if (!this.#options.quiet) this.error(line, style)
  }

  /** Prints a line to standard error, also with `--quiet`. */
  error(line: string, style?: Style): void {
    this.#options.stderr.write(`${this.styled(clean(line), style)}\n`)
  }

  /** Writes text to standard error as it is: for lines that change in place. */
  progress(text: string): void {
    this.#options.stderr.write(text)
  }

  /** The terminal of the progress. */
  get progressScreen(): Screen {
    const { stderr, env } = this.#options
    return { columns: columnsOf(stderr, env), color: this.#colorsErrors }
  }

  /** The most lines that can change in place. */
  get progressRows(): number {
    return rowsOf(this.#options.stderr) - 1
  }

  /** Colors text for standard error. */
  styled(text: string, style?: Style): string {
    return style !== undefined && this.#colorsErrors ? paint(style, text) : text
  }
}

/** All blocks but hints, with an empty line between them on a terminal. */
function rendered(blocks: readonly Block[], screen: Screen | undefined): string {
  const texts = blocks
    .filter((block) => block.kind !== 'hint')
    .map((block) => (screen ? renderForTerminal(block, screen) : renderPlain(block)))
    .filter((text) => text !== '')
  return texts.length === 0 ? '' : `${texts.join(screen ? '\n\n' : '\n')}\n`
}
