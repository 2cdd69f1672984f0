import pty, { type IPty } from '@lydell/node-pty'
import { waitFor } from '@slipway/testing'
import xterm from '@xterm/headless'

/** Where and how a program runs. */
export interface TerminalOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly columns: number
  readonly rows: number
}

/** A program on a real pseudo-terminal, and the screen that its user sees. */
export class Terminal implements Disposable {
  readonly #pty: IPty
  readonly #screen: xterm.Terminal
  /** The exit code, once the program has ended and all its output is on the screen. */
  readonly ended: Promise<number>
  #output = ''

  private constructor(command: readonly string[], { cwd, env, columns, rows }: TerminalOptions) {
    const [file = '', ...args] = command
    this.#screen = new xterm.Terminal({
      cols: columns,
      rows,
      scrollback: 10_000,
      allowProposedApi: true,
    })
    this.#pty = pty.spawn(file, args, { cwd, env: { ...env }, cols: columns, rows })
    this.#pty.onData((data) => {
      this.#output += data
      this.#screen.write(data)
    })
    this.ended = new Promise((resolve) =>
      this.#pty.onExit(({ exitCode, signal }) =>
        this.#screen.write('', () => resolve(signal ? 128 + signal : exitCode)),
      ),
    )
  }

  static run(command: readonly string[], options: TerminalOptions): Terminal {
    return new Terminal(command, options)
  }

  /** What the program has written, with its escape sequences. */
  get output(): string {
    return this.#output
  }

  /** What the user sees, with what has scrolled away, without empty lines at the end. */
  get text(): string {
    const { active } = this.#screen.buffer
    const lines = Array.from(
      { length: active.length },
      (_, index) => active.getLine(index)?.translateToString(true) ?? '',
    )
    return lines.join('\n').trimEnd()
  }

  /** The same, with lines in one piece that the terminal has wrapped. */
  get unwrapped(): string {
    const { active } = this.#screen.buffer
    let text = ''
    for (let index = 0; index < active.length; index += 1) {
      const isContinued = active.getLine(index + 1)?.isWrapped === true
      const line = active.getLine(index)?.translateToString(!isContinued) ?? ''
      text += isContinued ? line : `${line}\n`
    }
    return text.trimEnd()
  }

  /** Waits until the user sees a text that matches, with or without the terminal's wrapping. */
  async shows(pattern: RegExp): Promise<void> {
    try {
      const isShown = () => pattern.test(this.text) || pattern.test(this.unwrapped)
      await waitFor(isShown, { what: `${String(pattern)} on the terminal` })
    } catch (error) {
      throw new Error(`${String(error)}, which shows:\n${this.text}`, { cause: error })
    }
  }

  /** Types text. `\r` is the enter key, and `\u0003` is Ctrl-C. */
  type(keys: string): void {
    this.#pty.write(keys)
  }

  [Symbol.dispose](): void {
    try {
      this.#pty.kill()
    } catch {
      // It has ended.
    }
    this.#screen.dispose()
  }
}
