import type { CallInit } from '../call.ts'
import type { StreamContext } from './continued.ts'
import { readLines } from './read-lines.ts'
import { readText } from './read-text.ts'

/** The most lines from the end of a log that the API returns. */
export const MOST_LINES = 5_000
/** A followed log without new lines is silent; a new connection finds out whether it was cut. */
const SILENCE_MS = 240_000

/** How to open a log. */
export interface LogRequest {
  readonly params: NonNullable<CallInit['params']>
  readonly signal: AbortSignal
  /** Whether new lines are followed. */
  readonly follow: boolean
  readonly onProgress: () => void
}

/** Opens a log, and returns its lines as they arrive. */
export async function openLog(
  { call, origin }: StreamContext,
  path: string,
  { params, signal, follow, onProgress }: LogRequest,
): Promise<{ readonly response: Response; readonly lines: AsyncIterable<string> }> {
  const { response } = await call('get', path, { params, parseAs: 'stream', signal })
  const text = readText(response.body, { origin, silenceMs: SILENCE_MS, onProgress })
  return { response, lines: readLines(text, follow) }
}
