import { spawn } from 'node:child_process'
import { withoutLogins } from './logins.ts'
import { GROUPED, groupEnd } from './program-group.ts'

const LONGEST_OUTPUT = 4 << 20
const LONGEST_ERRORS = 4_000

/** How to run a program. */
export interface RunOptions {
  readonly folder?: string | undefined
  /** Default: that of this process. */
  readonly environment?: NodeJS.ProcessEnv | undefined
  /** What the program reads from stdin. Default: nothing. */
  readonly input?: string | Buffer | undefined
  /** Ends the program and all that it has started. They are waited for. */
  readonly signal?: AbortSignal | undefined
  /** Receives each line that the program writes to stderr. */
  readonly onLine?: ((line: string) => void) | undefined
  /** Also passes the lines of stdout to `onLine`. */
  readonly withStdout?: boolean
  /** What to do if the program doesn't exist. */
  readonly missing: string
}

/**
 * Runs a program and returns its stdout. Throws what it wrote to stderr if it fails. Neither this
 * nor the lines have logins in addresses.
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  { folder, environment, input, signal, onLine, withStdout = false, missing }: RunOptions,
): Promise<string> {
  signal?.throwIfAborted()
  const child = spawn(program, args, {
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(folder !== undefined && { cwd: folder }),
    ...(environment && { env: environment }),
    ...GROUPED,
  })
  using _end = groupEnd(child, signal)
  // A program may end before it has read all.
  child.stdin?.on('error', () => {}).end(input)
  let [output, errors] = ['', '']
  const lines = { stdout: new Lines(onLine), stderr: new Lines(onLine) }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(0, LONGEST_OUTPUT)
    if (withStdout) lines.stdout.add(text)
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-LONGEST_ERRORS)
    lines.stderr.add(text)
  })
  let failure: Error | undefined
  child.once('error', (cause: NodeJS.ErrnoException) => {
    failure = cause.code === 'ENOENT' ? new Error(missing, { cause }) : cause
  })
  // Also after an error: what the program has written is only complete when it has ended.
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  signal?.throwIfAborted()
  if (failure !== undefined) throw failure
  lines.stdout.end()
  lines.stderr.end()
  if (code === 0) return output
  const said = withoutLogins(errors.trim() || output.trim())
  throw new Error(`${program} ${args[0] ?? ''} failed:\n${said}`)
}

/** Splits what a program writes to lines. */
class Lines {
  readonly #onLine: ((line: string) => void) | undefined
  #last = ''

  constructor(onLine: ((line: string) => void) | undefined) {
    this.#onLine = onLine
  }

  add(text: string): void {
    const lines = (this.#last + text).split(/\r?\n|\r/)
    this.#last = (lines.pop() ?? '').slice(-LONGEST_ERRORS)
    for (const each of lines) if (each !== '') this.#onLine?.(withoutLogins(each))
  }

  end(): void {
    if (this.#last !== '') this.#onLine?.(withoutLogins(this.#last))
  }
}
