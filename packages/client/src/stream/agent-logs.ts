import {
  continued,
  type AgentName,
  type End,
  type StreamContext,
  type StreamOptions,
} from './continued.ts'
import { readLog } from './followed-lines.ts'
import { MOST_LINES, openLog } from './open-log.ts'
import { ReplayFilter } from './replay-filter.ts'

/** Options of the log of an agent. */
export interface AgentLogOptions extends StreamOptions {
  /** Only this component, e.g. `agent`. */
  readonly component?: string | undefined
  /** Only lines and events after this time. */
  readonly since?: Date | undefined
  /** Lines from the end of the log of each container, 1 to 5000; default 200. */
  readonly tailLines?: number | undefined
  /** Continue with new lines, also of new pods. */
  readonly follow?: boolean | undefined
}

/** A line of a container, or an event of a cluster object. */
export type AgentLogEntry =
  | {
      readonly kind: 'line'
      /** RFC 3339 in UTC, with microseconds. */
      readonly time: string
      readonly pod: string
      readonly container: string
      readonly text: string
    }
  | {
      readonly kind: 'event'
      readonly time: string
      /** The object of the event, e.g. `pod/agent-0`. */
      readonly object: string
      readonly reason: string
      readonly text: string
    }

const PATH = '/api/v1/agents/{account}/{name}/deployment/logs'
/** How much older than the newest line those can be that are missing, as the API does it. */
const WINDOW_MS = 1_000

/** Yields the log of all pods of an agent. */
export function agentLogs(
  context: StreamContext,
  { account, name }: AgentName,
  { component, since, tailLines, follow = false, ...options }: AgentLogOptions = {},
): AsyncGenerator<AgentLogEntry, void> {
  const filter = new ReplayFilter(WINDOW_MS)
  const state = { hasEnded: false }
  const url = `${context.origin}${PATH.replace('{account}', account).replace('{name}', name)}`
  const connect = () => ({
    method: 'GET',
    url,
    read(onProgress: () => void, signal: AbortSignal): AsyncGenerator<AgentLogEntry, End> {
      const fromMs = Math.max(filter.continueFromMs ?? -Infinity, since?.getTime() ?? -Infinity)
      const isContinued = filter.newestMs !== undefined
      filter.restart()
      const query = {
        component,
        follow,
        since: Number.isFinite(fromMs) ? new Date(fromMs).toISOString() : undefined,
        tailLines: isContinued ? MOST_LINES : tailLines,
      }
      return readLog({
        state,
        follow,
        open: async () => {
          const params = { path: { account, name }, query }
          return (await openLog(context, PATH, { params, signal, follow, onProgress })).lines
        },
        accept: (line) => {
          const entry = parseAgentLogLine(line)
          // Events are not in the order of their times.
          const origin = entry.kind === 'line' ? `${entry.pod}[${entry.container}]` : line
          const isNew = filter.accept({ line, origin, timeMs: Date.parse(entry.time) })
          return isNew ? entry : undefined
        },
      })
    },
  })
  return continued(context, connect, options)
}

/** Parses `TIME POD[CONTAINER] TEXT` or `TIME OBJECT event REASON: TEXT`. */
export function parseAgentLogLine(line: string): AgentLogEntry {
  const [, time = '', pod = '', container = '', text = ''] =
    /^(\S+) ([^\s[]+)\[([^\]\s]+)\] ?(.*)$/s.exec(line) ?? []
  if (time !== '') return { kind: 'line', time, pod, container, text }
  const [, at = '', object = '', reason = '', message = ''] =
    /^(\S+) (.+?) event ([^\s:]+): ?(.*)$/s.exec(line) ?? []
  if (at !== '') return { kind: 'event', time: at, object, reason, text: message }
  return { kind: 'line', time: line.split(' ', 1)[0] ?? '', pod: '', container: '', text: line }
}
