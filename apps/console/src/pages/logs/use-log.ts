import { useEffect, useState } from 'react'

import { client } from '../../api/client.ts'
import type { AgentPath } from '../../api/queries.ts'
import type { LogsSearch } from '../../app/search.ts'
import { visible } from '../../text/visible.ts'
import { LogBuffer, type LogLine } from './log-buffer.ts'

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
    const buffer = new LogBuffer((lines, dropped) =>
      setLog((known) => ({ ...known, lines, dropped, state: 'following' })),
    )
    const options = { tailLines: TAIL_LINES, follow: !isPrevious, signal: ended.signal }
    const readAgent = async () => {
      for await (const entry of client.agentLogs({ account, name }, options)) {
        const { time, text } = entry
        const origin = entry.kind === 'line' ? `${entry.pod} ${entry.container}` : entry.object
        const words = entry.kind === 'line' ? text : `${entry.reason}: ${text}`
        buffer.add({ time, origin, text: visible(words) })
      }
    }
    const readPod = async (from: string) => {
      const of = {
        account,
        namespace,
        pod: from,
        ...(container === undefined ? {} : { container }),
      }
      for await (const { time, text } of client.podLogs(of, { ...options, previous: isPrevious }))
        buffer.add({ time, origin: '', text: visible(text) })
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
  return { ...log, readAgain: () => setAttempt((known) => known + 1) }
}
