import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { bundle } from '@slipway/cli/bundle'

import { tokenOf, type User } from './api.ts'
import { fromStack } from './environment.ts'
import { Terminal } from './terminal.ts'

let program: Promise<string> | undefined

/** The program that users get, built once for all test files of a process. It runs by itself. */
async function builtProgram(): Promise<string> {
  program ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-cli-'))
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
    await bundle(folder)
    const file = join(folder, 'dist/slipway.js')
    await chmod(file, 0o755)
    return file
  })()
  return await program
}

/** What a call of the command line printed, and its exit code. */
export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** How a call differs from others. */
export interface CallOptions {
  /** Text for standard input; without it, standard input is empty. */
  readonly input?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
}

/** A home folder for calls of the command line; removed at the end. */
export class CommandLine implements AsyncDisposable {
  readonly home: string
  readonly #env: Record<string, string>

  private constructor(home: string, env: Record<string, string>) {
    this.home = home
    this.#env = env
  }

  /** Opens a home folder; with a user, calls have their token in `SLIPWAY_TOKEN`. */
  static async open(user?: User): Promise<CommandLine> {
    const home = await mkdtemp(join(tmpdir(), 'slipway-home-'))
    return new CommandLine(home, {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      SLIPWAY_KEYRING: 'off',
      SLIPWAY_BASE: 'packages',
      NODE_COMPILE_CACHE: join(tmpdir(), 'slipway-cli-compile-cache'),
      ...(user && {
        SLIPWAY_URL: fromStack('SLIPWAY_URL'),
        SLIPWAY_TOKEN: await tokenOf(user),
      }),
    })
  }

  /** Runs a command whose output is piped, and waits for its end. */
  async run(args: readonly string[], options: CallOptions = {}): Promise<Outcome> {
    return await this.#execute([await builtProgram(), ...args], options)
  }

  /** Runs a script in bash, in which `slipway` is a command, and waits for its end. */
  async script(text: string, options: CallOptions = {}): Promise<Outcome> {
    const env = { PATH: await this.#path(), ...options.env }
    return await this.#execute(['bash', '-c', text], { ...options, env })
  }

  async #execute([file = '', ...args]: readonly string[], options: CallOptions): Promise<Outcome> {
    const child = spawn(file, args, {
      cwd: options.cwd ?? this.home,
      env: this.#envOf(options),
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    child.stdin.on('error', () => {}) // it ended without reading
    child.stdin.end(options.input ?? '')
    const ended = new Promise<number>((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code, signal) => resolve(code ?? (signal === null ? -1 : 128)))
    })
    const [stdout, stderr, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      ended,
    ])
    return { code, stdout, stderr }
  }

  /** The JSON that a successful command prints. */
  async json(args: readonly string[], options: CallOptions = {}): Promise<unknown> {
    const { code, stdout, stderr } = await this.run([...args, '--json'], options)
    if (code !== 0) throw new Error(`slipway ${args.join(' ')} ended with ${code}: ${stderr}`)
    return JSON.parse(stdout)
  }

  /** Runs a command on a terminal. */
  async onTerminal(
    args: readonly string[],
    options: CallOptions & { readonly columns?: number; readonly rows?: number } = {},
  ): Promise<Terminal> {
    const { columns = 100, rows = 40 } = options
    return Terminal.run([await builtProgram(), ...args], {
      cwd: options.cwd ?? this.home,
      env: { ...this.#envOf(options), TERM: 'xterm-256color' },
      columns,
      rows,
    })
  }

  /** Runs a shell on a terminal, in which `slipway` is a command. */
  async shell(
    command: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Terminal> {
    return Terminal.run(command, {
      cwd: this.home,
      env: { ...this.#envOf({ env }), PATH: await this.#path(), TERM: 'xterm-256color' },
      columns: 100,
      rows: 40,
    })
  }

  /** The search path with a folder that has only `slipway`, linked as npm does. */
  async #path(): Promise<string> {
    const bin = join(this.home, 'bin')
    await mkdir(bin, { recursive: true })
    const link = symlink(await builtProgram(), join(bin, 'slipway'))
    await link.catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    return `${bin}:${process.env['PATH'] ?? ''}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A shell that has ended may have left a program that still writes.
    await rm(this.home, { recursive: true, force: true, maxRetries: 10 })
  }

  #envOf({ env = {} }: CallOptions): Record<string, string> {
    const merged = Object.entries({ ...this.#env, ...env })
    return Object.fromEntries(
      merged.filter((entry): entry is [string, string] => entry[1] !== undefined),
    )
  }
}
