import { continued, type End, type StreamContext, type StreamOptions } from './continued.ts'
import { readLog } from './followed-lines.ts'
import { MOST_LINES, openLog } from './open-log.ts'
import { ReplayFilter } from './replay-filter.ts'

/** A container of a deployment. */
export interface PodOfAgent {
  /** The account that the deployment belongs to. */
  readonly account: string
  readonly namespace: string
  readonly pod: string
  /** The first container by default. */
  readonly container?: string | undefined
}

/** Options of the log of a container. */
export interface PodLogOptions extends StreamOptions {
  /** Lines from the end of the log, 1 to 5000; default 200. */
  readonly tailLines?: number | undefined
  /** Maximum age of the lines. */
  readonly sinceSeconds?: number | undefined
  /** The log before the last restart of the container. */
  readonly previous?: boolean | undefined
  /** Continue with new lines. */
  readonly follow?: boolean | undefined
}

/** A line of a container. */
export interface PodLogLine {
  /** RFC 3339, as the cluster writes it. */
  readonly time: string
  readonly text: string
}

const PATH = '/api/v1/deployments/{namespace}/logs'
const WINDOW_MS = 5_000

/** Yields the log of a container. */
export function podLogs(
  context: StreamContext,
  { account, namespace, pod, container }: PodOfAgent,
  { tailLines, sinceSeconds, previous, follow = false, ...options }: PodLogOptions = {},
): AsyncGenerator<PodLogLine, void> {
  const filter = new ReplayFilter(WINDOW_MS)
  const state = { hasEnded: false }
  /** How much later the server's clock is. */
  let aheadMs = 0
  const connect = () => ({
    method: 'GET',
    url: `${context.origin}${PATH.replace('{namespace}', namespace)}`,
    read(onProgress: () => void, signal: AbortSignal): AsyncGenerator<PodLogLine, End> {
      const fromMs = filter.continueFromMs
      const isContinued = fromMs !== undefined
      const ageMs = isContinued ? Date.now() + aheadMs - fromMs : undefined
      filter.restart()
      const query = {
        account,
        pod,
        container,
        follow,
        previous,
        timestamps: true,
        sinceSeconds: ageMs === undefined ? sinceSeconds : Math.max(1, Math.ceil(ageMs / 1000)),
        tailLines: isContinued ? MOST_LINES : tailLines,
      }
      return readLog({
        state,
        follow,
        open: async () => {
          const params = { path: { namespace }, query }
          const request = { params, signal, follow, onProgress }
          const { response, lines } = await openLog(context, PATH, request)
          const date = Date.parse(response.headers.get('date') ?? '')
          if (!Number.isNaN(date)) aheadMs = date - Date.now()
          return lines
        },
        accept: (line) => {
          const { time, text } = splitTime(line)
          const isNew = filter.accept({ line, origin: '', timeMs: Date.parse(time) })
          return isNew ? { time, text } : undefined
        },
      })
    },
  })
  return continued(context, connect, options)
}

function splitTime(line: string): PodLogLine {
  const end = line.indexOf(' ')
  return end < 0
    ? { time: line, text: '' }
    : { time: line.slice(0, end), text: line.slice(end + 1) }
}
