import { writeSync } from 'node:fs'

/** Lines are written in batches, at the latest after this time, because each write is expensive. */
const WRITE_INTERVAL_MS = 100
const WRITE_CHARACTERS = 32 * 1024
/** The pause before retrying a write to a full pipe. */
const RETRY_MS = 5

/**
 * Writes lines to a file descriptor in batches. The rest is written when the process exits.
 */
export class LineOutput {
  readonly #fileDescriptor: number
  #pending = ''
  #timer: NodeJS.Timeout | undefined

  constructor(fileDescriptor: number) {
    this.#fileDescriptor = fileDescriptor
    process.on('exit', () => this.flush())
  }

  /** Adds a line, which ends with a line feed. */
  write(line: string): void {
    this.#pending += line
    if (this.#pending.length >= WRITE_CHARACTERS) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), WRITE_INTERVAL_MS).unref()
  }

  /** Writes the batch. Blocks while a pipe is full, so that a slow reader can't use up memory. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    let bytes = Buffer.from(this.#pending)
    this.#pending = ''
    while (bytes.length > 0) {
      try {
        bytes = bytes.subarray(writeSync(this.#fileDescriptor, bytes))
      } catch (error) {
        // The reader has closed the pipe: drop the output.
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
