import { Readable } from 'node:stream'

import type { StreamLogsResponse } from '@slipway/proto/slipway/deployer/v1/workload_service'
import { Type } from 'typebox'

import { streamFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { Text } from '../../http/schemas/kinds.ts'
import { Namespace } from '../names.ts'
import { allowSilence } from '../../http/server/http-server.ts'
import { logExample } from './examples.ts'
import { continueLine, withLastPiece } from './interruption.ts'
import { OwnerQuery } from './workload-schemas.ts'

const MAX_SINCE_SECONDS = 366 * 24 * 60 * 60

/** The times of lines are not known, so an interrupted log is continued a little earlier. */
const REPEATED_SECONDS = 5
const NEWLINE = 10

const LogsQuery = Type.Interface([OwnerQuery], {
  pod: Text('Pod name'),
  container: Type.Optional(Text('Container name; the first container by default')),
  tailLines: Type.Integer({
    minimum: 1,
    maximum: 5000,
    default: 200,
    description: 'Number of lines from the end of the log',
  }),
  follow: Type.Boolean({ default: false, description: 'Keep streaming new lines' }),
  previous: Type.Boolean({
    default: false,
    description: 'Log of the container before its last restart',
  }),
  sinceSeconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_SINCE_SECONDS,
      description: 'Maximum age of the lines in seconds',
    }),
  ),
  timestamps: Type.Boolean({ default: false, description: 'Prefix each line with its timestamp' }),
})

/** `GET /deployments/{namespace}/logs`: streams the end of a pod's log as plain text. */
export function addStreamLogsRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/deployments/:namespace/logs',
    {
      // The length of a stream is unknown, and a HEAD would start one that is never read.
      exposeHeadRoute: false,
      config: { waitsLong: true },
      schema: {
        operationId: 'getLogs',
        summary: 'Last lines of pod logs',
        description:
          'The log as the container wrote it. With `follow`, the response continues until the ' +
          'client, the container, the access token or the membership ends. When a service stops, ' +
          'for example for an upgrade, it ends with `# interrupted; continue with GET …` ' +
          'and the path and query that continue it, which repeat the lines of a few seconds.',
        tags: ['deployments'],
        params: Type.Object({ namespace: Namespace }),
        querystring: LogsQuery,
        response: {
          200: {
            description: 'The log',
            content: {
              'text/plain': {
                schema: Type.Unsafe<Readable>({ type: 'string', description: 'Lines of the log' }),
                example: logExample,
              },
            },
          },
          ...problems(400, 401, 403, 404, 500, 503),
        },
      },
    },
    async (request, reply) => {
      const { sinceSeconds = 0, container = '', ...query } = request.query
      if (query.follow) allowSilence(request.raw.socket)
      const chunks = clients.workloads
        .streamLogs(
          { ...request.params, ...query, container, sinceSeconds },
          streamFor(request, reply, { isEndless: query.follow }),
        )
        [Symbol.asyncIterator]()
      // Until the first chunk, an error can still be sent as a problem body. A later one aborts the
      // response.
      const first = await chunks.next()
      reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8')
      let arrivedMs = Date.now()
      let isWithinLine = false
      const bytes = toBytes(first, chunks, (data) => {
        arrivedMs = Date.now()
        if (data.length > 0) isWithinLine = data.at(-1) !== NEWLINE
      })
      const lastLine = () => {
        const ageSeconds = Math.ceil((Date.now() - arrivedMs) / 1000) + REPEATED_SECONDS
        const sinceSeconds = String(Math.min(ageSeconds, MAX_SINCE_SECONDS))
        const line = continueLine(request.url, { sinceSeconds, tailLines: '5000' })
        return Buffer.from(isWithinLine ? `\n${line}` : line)
      }
      // In object mode, the first chunk sends the headers even if it is empty.
      return await reply.send(Readable.from(query.follow ? withLastPiece(bytes, lastLine) : bytes))
    },
  )
}

async function* toBytes(
  first: IteratorResult<StreamLogsResponse>,
  chunks: AsyncIterator<StreamLogsResponse>,
  onData: (data: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for (let chunk = first; chunk.done !== true; chunk = await chunks.next()) {
    onData(chunk.value.data)
    yield chunk.value.data
  }
}
