import type { KubernetesClient } from '../kubernetes/client.ts'
import { isLogGone, readLog, type LogQuery } from '../kubernetes/logs.ts'
import { redactLog } from '../kubernetes/redact-log.ts'
import { linesOf, parseLine, type LogEntry, type LogOrigin } from './log-entry.ts'

/**
 * Reads the lines of a container's log with their times, without the `values` of credentials;
 * `undefined` once the log is open. Ends without a line if the cluster doesn't have the log.
 */
export async function* readContainerLog(
  client: KubernetesClient,
  query: Omit<LogQuery, 'timestamps' | 'pod' | 'container'>,
  origin: LogOrigin,
  values: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<LogEntry | undefined> {
  const { pod, container } = origin
  try {
    const log = readLog(client, { ...query, pod, container, timestamps: true }, signal)
    yield undefined
    const { limitBytes } = query
    const redacted = redactLog(log, { values, timestamps: true, limitBytes })
    for await (const line of linesOf(redacted)) yield parseLine(line, origin)
  } catch (error) {
    if (!isLogGone(error)) throw error
  }
}
