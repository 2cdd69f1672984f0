import { stripVTControlCharacters } from 'node:util'

import type { KubernetesClient } from '../kubernetes/client.ts'
import { isLogGone, NO_LOG, readLog } from '../kubernetes/logs.ts'
import { secretRedactor } from '../kubernetes/redact.ts'

/** How much of a log is read, to find its last lines. */
export const TAIL = { lines: 20, readBytes: 256 * 1024 }
const MAX_BYTES = 4 * 1024
const MAX_LINE = 1000

/**
 * Returns the last lines of a log, at most TAIL.lines and MAX_BYTES, without the values of
 * credentials. Lines that are too long are cut.
 */
export function logTail(
  log: string,
  secrets: readonly string[],
  { lines: most = TAIL.lines, bytes: room = MAX_BYTES } = {},
): string[] {
  const lines = log.split('\n').filter((line) => line.trim() !== '' && !NO_LOG.test(line))
  const redact = secretRedactor(secrets, { isWhole: true })
  const kept: string[] = []
  let left = room
  for (const line of lines.slice(-most).reverse()) {
    // Before it is cut, because a part of a value is hard to recognize.
    const clean = redact(printable(line))
    const shown = clean.length > MAX_LINE ? `${clean.slice(0, MAX_LINE)}…` : clean
    left -= Buffer.byteLength(shown)
    if (left < 0) break
    kept.unshift(shown)
  }
  return kept
}

/** Without colors and other control characters. */
function printable(line: string): string {
  return stripVTControlCharacters(line).replace(/(?!\t)\p{Cc}/gu, '')
}

/** The container whose log is read. */
export interface LogSource {
  readonly namespace: string
  readonly pod: string
  readonly container: string
  readonly previous: boolean
}

/** How much of a log is read, if not as of TAIL. */
export interface TailSize {
  readonly lines: number
  readonly bytes: number
  readonly sinceSeconds: number
}

/** Reads the last lines of a container's log; none if the cluster doesn't have it. */
export async function readLogTail(
  client: KubernetesClient,
  source: LogSource,
  secrets: readonly string[],
  signal: AbortSignal,
  size: TailSize = { lines: TAIL.lines, bytes: MAX_BYTES, sinceSeconds: 0 },
): Promise<string[]> {
  const query = {
    ...source,
    tailLines: size.lines,
    limitBytes: TAIL.readBytes,
    follow: false,
    sinceSeconds: size.sinceSeconds,
    timestamps: false,
  }
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of readLog(client, query, signal)) chunks.push(chunk)
  } catch (error) {
    if (!isLogGone(error)) throw error
    return []
  }
  const log = Buffer.concat(chunks)
  // The end of a log that is cut may be a part of a value.
  const end = log.length < TAIL.readBytes ? log.length : log.lastIndexOf('\n')
  return logTail(log.toString('utf8', 0, Math.max(end, 0)), secrets, size)
}
