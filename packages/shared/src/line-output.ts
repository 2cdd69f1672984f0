import { writeSync } from 'node:fs'

/**
 * Lines are written together, at the latest after this time: a write for each would cost more than
 * making it.
 */
const WRITE_INTERVAL_MS = 100
const WRITE_CHARACTERS = 32 * 1024
/** How long to wait for a reader that doesn't keep up. */
const RETRY_MS = 5

/**
 * Gathers lines for a file descriptor and writes them in batches; what is left is written when the
 * process exits.
 */
export class LineOutput {
  readonly #fileDescriptor: number
  #pending = ''
  #timer: NodeJS.Timeout | undefined

  constructor(fileDescriptor: number) {
    this.#fileDescriptor = fileDescriptor
    process.on('exit', () => this.flush())
  }

  /** Takes a line with its end. */
  write(line: string): void {
    this.#pending += line
    if (this.#pending.length >= WRITE_CHARACTERS) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), WRITE_INTERVAL_MS).unref()
  }

  /**
   * Writes what was gathered. Blocks while a pipe is full, so that a slow reader bounds memory,
   * too.
   */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    let bytes = Buffer.from(this.#pending)
    this.#pending = ''
    while (bytes.length > 0) {
      try {
        bytes = bytes.subarray(writeSync(this.#fileDescriptor, bytes))
      } catch (error) {
        // Nobody reads any more: there is nothing to be said, and nobody to say it to.
        if (!isBusy(error)) return
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
      }
    }
  }
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EINTR')
  )
}
