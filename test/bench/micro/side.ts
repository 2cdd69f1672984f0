/**
 * One way to do an operation. Each side runs in its own process, so they don't disturb each other.
 */
export interface Side {
  /** Passed to the sides that talk to this one, e.g. the address it listens on. */
  readonly output?: string
  /** Does the operation this many times. Absent on sides that only serve. */
  readonly run?: (count: number) => Promise<void> | void
}

/** Starts a side. `input` is the output of the side it talks to, or whatever the bench passes. */
export type StartSide = (input: string) => Side | Promise<Side>

/** The resources that a process has used since it started. */
export interface Usage {
  /** Processor time of all its threads, in microseconds. */
  readonly cpuUs: number
  /** Bytes allocated on the JavaScript heap. Buffers, which live elsewhere, are not included. */
  readonly heapBytes: number
}

/** Does an operation `count` times, `inFlight` at a time. */
export async function repeat(
  count: number,
  inFlight: number,
  operation: () => Promise<unknown>,
): Promise<void> {
  let left = count
  async function work(): Promise<void> {
    while (left > 0) {
      left -= 1
      await operation()
    }
  }
  await Promise.all(Array.from({ length: Math.min(count, inFlight) }, work))
}
