import { Readable } from 'node:stream'

import { timestampFromDate, timestampMs, type Timestamp } from '@bufbuild/protobuf/wkt'
import type {
  AgentLogEntry,
  StreamAgentLogsResponse,
} from '@slipway/proto/slipway/deployer/v1/agent_logs'
import { Type } from 'typebox'

import { streamFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { Text, Time } from '../../http/schemas/kinds.ts'
import { allowSilence } from '../../http/server/http-server.ts'
import { AgentPath } from '../path-parameters.ts'
import { agentLogExample } from './examples.ts'
import { continueLine, withLastPiece } from './interruption.ts'

/** How much older than the last line those can be that are still missing, of other containers. */
const LATE_MS = 1_000
const EPOCH = '1970-01-01T00:00:00Z'

const LogsQuery = Type.Object({
  component: Type.Optional(Text('Component, e.g. `agent`; all components by default')),
  since: Type.Optional(Time('Only lines and events after this time, at most 366 days ago')),
  tailLines: Type.Integer({
    minimum: 1,
    maximum: 5000,
    default: 200,
    description: 'Number of lines from the end of the log of each container',
  }),
  follow: Type.Boolean({ default: false, description: 'Keep streaming, also from new pods' }),
})

/**
 * `GET /agents/{account}/{name}/deployment/logs`: the logs of all pods of a deployment, and its
 * events, merged by time.
 */
export function addStreamAgentLogsRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/agents/:account/:name/deployment/logs',
    {
      // The length of a stream is unknown, and a HEAD would start one that is never read.
      exposeHeadRoute: false,
      config: { waitsLong: true },
      schema: {
        operationId: 'getAgentLogs',
        summary: 'Logs and events of all pods of a deployment',
        description:
          'Each line begins with its time and with `pod[container]`; an event with its time and ' +
          '`object event REASON:`. Also returns the last 50 lines of containers that have failed ' +
          'within the last hour and whose pods are gone. When a service stops, for example for ' +
          'an upgrade, a followed log ends with `# interrupted; continue with GET …` and ' +
          'the path and query that continue it, which repeat the lines of the last second.',
        tags: ['deployments'],
        params: AgentPath,
        querystring: LogsQuery,
        response: {
          200: {
            description: 'The lines and events, sorted by time',
            content: {
              'text/plain': {
                schema: Type.Unsafe<Readable>({ type: 'string', description: 'Lines and events' }),
                example: agentLogExample,
              },
            },
          },
          ...problems(400, 401, 403, 404, 503),
        },
      },
    },
    async (request, reply) => {
      const { since, component = '', ...query } = request.query
      if (query.follow) allowSilence(request.raw.socket)
      const batches = clients.logs
        .streamAgentLogs(
          {
            ...request.params,
            ...query,
            component,
            ...(since === undefined ? {} : { since: timestampFromDate(new Date(since)) }),
          },
          streamFor(request, reply, { isEndless: query.follow }),
        )
        [Symbol.asyncIterator]()
      // Until the first batch, an error can still be sent as a problem body.
      const first = await batches.next()
      reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8')
      const startMs = Date.now()
      // Only lines count: an event can be much newer than a line that is still missing.
      let newestMs: number | undefined
      const text = toText(first, batches, (timeMs) => {
        newestMs = Math.max(newestMs ?? 0, timeMs)
      })
      const lastLine = () => {
        const lateMs = (newestMs ?? startMs) - LATE_MS
        const from = new Date(Math.max(lateMs, Date.parse(since ?? EPOCH))).toISOString()
        return continueLine(request.url, { since: from, tailLines: '5000' })
      }
      return await reply.send(Readable.from(query.follow ? withLastPiece(text, lastLine) : text))
    },
  )
}

async function* toText(
  first: IteratorResult<StreamAgentLogsResponse>,
  batches: AsyncIterator<StreamAgentLogsResponse>,
  onLine: (timeMs: number) => void,
): AsyncGenerator<string> {
  for (let batch = first; batch.done !== true; batch = await batches.next()) {
    const { entries } = batch.value
    for (const { time, eventReason } of entries)
      if (time !== undefined && eventReason === '') onLine(timestampMs(time))
    yield entries.map(toLine).join('')
  }
}

function toLine({ time, pod, container, text, eventReason }: AgentLogEntry): string {
  const origin = eventReason === '' ? `${pod}[${container}]` : `${pod} event ${eventReason}:`
  return `${stampOf(time)} ${origin} ${text}\n`
}

/** With microseconds, so that lines of one millisecond keep their order. */
function stampOf({ seconds, nanos }: Timestamp = { seconds: 0n, nanos: 0 } as Timestamp): string {
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19)
  return `${whole}.${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z`
}
