import { setTimeout as delay } from 'node:timers/promises'

/** A server that a command needs, and how long to wait for it. */
export interface ServerToWaitFor {
  /** For messages, such as `the database at db.example:5432`; without credentials. */
  readonly name: string
  /** What to check if it never answers. */
  readonly remedy: string
  readonly timeoutMs: number
  /** Whether an error means that the server can't answer yet, so that trying again may help. */
  readonly isTransient: (error: unknown) => boolean
  /** Is called with a text for the operator at the first failure, and when the reason changes. */
  readonly report: (text: string) => void
}

/** Time between two attempts. */
const PAUSE_MS = 1_000

/** Runs work again while its server can't answer. Throws with the remedy if it never does. */
export async function waitForServer<Result>(
  server: ServerToWaitFor,
  work: () => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + server.timeoutMs
  let lastReason: string | undefined
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!server.isTransient(error)) throw error
      const reason = rootMessage(error)
      if (performance.now() + PAUSE_MS > deadline) {
        const seconds = Math.round(server.timeoutMs / 1000)
        throw new Error(
          `${server.name} did not answer for ${seconds} s: ${reason}. ${server.remedy}`,
          { cause: error },
        )
      }
      if (reason !== lastReason) server.report(`waiting for ${server.name}: ${reason}`)
      lastReason = reason
      await delay(PAUSE_MS)
    }
  }
}

/** The message of the error that caused an error. Node's connection errors may only have a code. */
function rootMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return rootMessage(error.cause)
  if (error.message !== '') return error.message
  return 'code' in error ? String(error.code) : error.name
}
