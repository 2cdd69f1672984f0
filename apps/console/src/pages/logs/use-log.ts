import { useCallback, useEffect, useState } from 'react'

import { client } from '../../api/client.ts'
import type { AgentPath } from '../../api/queries.ts'
import type { LogsSearch } from '../../address/search.ts'
import { visible } from '../../text/visible.ts'
import { LogBuffer } from './log-buffer.ts'
import type { LogEntry, LogLine } from './log-line.ts'
import { inSmallTasks } from './small-tasks.ts'

/** A log that is being read. */
export interface Log {
  readonly lines: readonly LogLine[]
  /** Older lines that the page no longer has. */
  readonly dropped: number
  /** `following`: there may be more lines. */
  readonly state: 'reading' | 'following' | 'ended'
  readonly error: unknown
}

/** A log, and what reads it again from the beginning. */
interface ReadLog extends Log {
  readonly readAgain: () => void
}

const EMPTY: Log = { lines: [], dropped: 0, state: 'reading', error: null }
const TAIL_LINES = 1_000

/** Reads the log of an agent or of one of its containers, and follows it. */
export function useLog(
  { account, name }: AgentPath,
  namespace: string | undefined,
  { pod, container, previous }: LogsSearch,
): ReadLog {
  const isPrevious = previous === true
  const [log, setLog] = useState(EMPTY)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    if (namespace === undefined) return
    setLog(EMPTY)
    const ended = new AbortController()
    const buffer = new LogBuffer(pod === undefined, (lines, dropped) =>
      setLog((known) => ({ ...known, lines, dropped, state: 'following' })),
    )
    const options = { tailLines: TAIL_LINES, follow: !isPrevious, signal: ended.signal }
    const readAgent = async () => {
      const entries = client.agentLogs({ account, name }, options)
      for await (const entry of inSmallTasks(entries, ended.signal)) {
        const { kind, time, text } = entry
        buffer.add(
          kind === 'line'
            ? lineOf(time, text, { source: entry.pod, container: entry.container })
            : lineOf(time, `event ${entry.reason}: ${text}`, {
                source: entry.object,
                isEvent: true,
              }),
        )
      }
    }
    const readPod = async (from: string) => {
      const of = {
        account,
        namespace,
        pod: from,
        ...(container === undefined ? {} : { container }),
      }
      const lines = client.podLogs(of, { ...options, previous: isPrevious })
      for await (const { time, text } of inSmallTasks(lines, ended.signal))
        buffer.add(lineOf(time, text))
    }
    const finish = (error: unknown) => {
      if (ended.signal.aborted) return
      buffer.flush()
      setLog((known) => ({ ...known, state: 'ended', error }))
    }
    const reading = pod === undefined ? readAgent() : readPod(pod)
    reading.then(() => finish(null), finish)
    return () => {
      ended.abort()
      buffer[Symbol.dispose]()
    }
  }, [account, name, namespace, pod, container, isPrevious, attempt])
  const readAgain = useCallback(() => setAttempt((known) => known + 1), [])
  return { ...log, readAgain }
}

function lineOf(time: string, text: string, origin: Partial<LogEntry> = {}): LogEntry {
  return { time, source: '', container: '', isEvent: false, ...origin, text: visible(text) }
}
