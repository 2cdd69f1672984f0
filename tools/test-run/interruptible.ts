import { spawn } from 'node:child_process'
import type { SpawnOptions } from 'node:child_process'
import { constants } from 'node:os'

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The run was asked to stop: Ctrl-C, TERM from CI, or the terminal was closed. */
export class Interrupted extends Error {
  readonly exitCode: number

  constructor(signal: (typeof stopSignals)[number]) {
    super(`stopped by ${signal}`)
    this.exitCode = 128 + constants.signals[signal]
  }
}

/** Runs commands one after the other until the run is interrupted, and none after that. */
export class InterruptibleRunner {
  readonly #abort = new AbortController()
  readonly #listeners = stopSignals.map((signal) => {
    const listener = () => this.#abort.abort(new Interrupted(signal))
    process.on(signal, listener)
    return { signal, listener }
  })

  /**
   * Runs a command and returns its exit code; an interruption ends it (TERM) and throws
   * `Interrupted`.
   */
  async run(
    command: readonly string[],
    options: Pick<SpawnOptions, 'env' | 'cwd'>,
  ): Promise<number> {
    this.#abort.signal.throwIfAborted()
    // A separate session: Ctrl-C reaches the command and its children once, through `stop`.
    const child = spawn(command[0] ?? '', command.slice(1), {
      ...options,
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
    })
    const stop = () => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(-child.pid)
    }
    this.#abort.signal.addEventListener('abort', stop, { once: true })
    try {
      const code = await new Promise<number>((resolve, reject) => {
        child.once('error', reject)
        // As in a shell: 128 plus the number of the signal.
        child.once('close', (exitCode, signal) =>
          resolve(exitCode ?? 128 + (signal ? constants.signals[signal] : 0)),
        )
      })
      this.#abort.signal.throwIfAborted()
      return code
    } finally {
      this.#abort.signal.removeEventListener('abort', stop)
    }
  }

  /** Throws `Interrupted` when the run has been interrupted. */
  check(): void {
    this.#abort.signal.throwIfAborted()
  }

  /** Whether the run has been interrupted. */
  get isInterrupted(): boolean {
    return this.#abort.signal.aborted
  }

  [Symbol.dispose](): void {
    for (const { signal, listener } of this.#listeners) process.off(signal, listener)
  }
}

/** Runs a command that Ctrl-C doesn't interrupt, for cleaning up. */
export async function runToTheEnd(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const child = spawn(command[0] ?? '', command.slice(1), {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  })
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve())
  })
}
