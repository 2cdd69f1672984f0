import { ApiError } from '../errors.ts'
import type { End } from './continued.ts'

/** The last line of a log that ends because a service stops. */
const INTERRUPTED = /^# interrupted; continue with GET /

/** What is known of a log over its connections. */
export interface LogState {
  /** Whether the server has ended the last connection as one that is complete. */
  hasEnded: boolean
}

/** One connection of a log. */
export interface LogConnection<Entry> {
  readonly state: LogState
  /** Whether new lines are followed. */
  readonly follow: boolean
  readonly open: () => Promise<AsyncIterable<string>>
  /** Returns the entry of a line; undefined if it is a repetition. */
  readonly accept: (line: string) => Entry | undefined
}

/**
 * Yields the new entries of one connection. A followed log also ends when it has reached the
 * server's bound of bytes, so it is complete only if nothing new was in it, or if its pod or
 * deployment is gone.
 */
export async function* readLog<Entry>({
  state,
  follow,
  open,
  accept,
}: LogConnection<Entry>): AsyncGenerator<Entry, End> {
  let lines: AsyncIterable<string>
  try {
    lines = await open()
  } catch (error) {
    // A caller may not even know the namespace of an undeployed agent.
    const isGone = error instanceof ApiError && [400, 403, 404].includes(error.status)
    if (state.hasEnded && isGone) return 'complete'
    throw error
  }
  state.hasEnded = false
  let isNew = false
  for await (const line of lines) {
    if (follow && INTERRUPTED.test(line)) return 'interrupted'
    const entry = accept(line)
    if (entry === undefined) continue
    isNew = true
    yield entry
  }
  state.hasEnded = true
  return follow && isNew ? 'interrupted' : 'complete'
}
