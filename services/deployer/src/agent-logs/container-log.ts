import type { KubernetesClient } from '../kubernetes/client.ts'
import { isLogGone, readLog, type LogQuery } from '../kubernetes/logs.ts'
import { linesOf, parseLine, type LogEntry, type LogOrigin } from './log-entry.ts'

/**
 * Reads the lines of a container's log with their times; `undefined` once the log is open. Ends
 * without a line if the cluster doesn't have the log.
 */
export async function* readContainerLog(
  client: KubernetesClient,
  query: Omit<LogQuery, 'timestamps' | 'pod' | 'container'>,
  origin: LogOrigin,
  signal: AbortSignal,
): AsyncGenerator<LogEntry | undefined> {
  const { pod, container } = origin
  try {
    const log = readLog(client, { ...query, pod, container, timestamps: true }, signal)
    yield undefined
    for await (const line of linesOf(log)) yield parseLine(line, origin)
  } catch (error) {
    if (!isLogGone(error)) throw error
  }
}
