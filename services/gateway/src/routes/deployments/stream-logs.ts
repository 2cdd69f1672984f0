import { Readable } from 'node:stream'

import type { StreamLogsResponse } from '@slipway/proto/slipway/deployer/v1/workload_service'
import { Type } from 'typebox'

import type { App } from '../../http/app-type.ts'
import { streamFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import { allowSilence } from '../../http/server.ts'
import { needsToken, problems, Text } from '../../http/schemas.ts'
import { OwnerQuery } from './schemas.ts'

const MAX_SINCE_SECONDS = 366 * 24 * 60 * 60

/** `GET /deployments/{namespace}/logs`: the end of a pod's log as plain text, streamed. */
export function addLogsRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/deployments/:namespace/logs',
    {
      // A stream has no length to tell; asking for one would start it for nobody.
      exposeHeadRoute: false,
      schema: {
        operationId: 'getLogs',
        summary: 'Last lines of pod logs',
        tags: ['deployments'],
        security: needsToken,
        params: Type.Object({ namespace: Text('Namespace of the deployment') }),
        querystring: Type.Interface([OwnerQuery], {
          pod: Text('Pod name'),
          container: Type.Optional(Text('Container name; the first one by default')),
          tailLines: Type.Integer({
            minimum: 1,
            maximum: 5000,
            default: 200,
            description: 'Number of lines',
          }),
          follow: Type.Boolean({ default: false, description: 'Go on with new lines' }),
          previous: Type.Boolean({
            default: false,
            description: 'The instance before the last restart',
          }),
          sinceSeconds: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: MAX_SINCE_SECONDS,
              description: 'Only lines of the last so many seconds',
            }),
          ),
          timestamps: Type.Boolean({
            default: false,
            description: 'Put the time before each line',
          }),
        }),
        response: {
          200: {
            description: 'The log',
            content: { 'text/plain': { schema: Type.Unsafe<Readable>({ type: 'string' }) } },
          },
          ...problems(400, 401, 403, 404, 500, 503),
        },
      },
    },
    async (request, reply) => {
      const { sinceSeconds = 0, container = '', ...query } = request.query
      if (query.follow) allowSilence(request.raw.socket)
      const chunks = clients.workloads.streamLogs(
        { ...request.params, ...query, container, sinceSeconds },
        streamFor(request, reply),
      )
      const iterator = chunks[Symbol.asyncIterator]()
      // An error before the first piece is still a problem body; one after it cuts the answer
      // short.
      const first = await iterator.next()
      reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8')
      return await reply.send(Readable.from(bytes(first, iterator)))
    },
  )
}

async function* bytes(
  first: IteratorResult<StreamLogsResponse>,
  iterator: AsyncIterator<StreamLogsResponse>,
): AsyncGenerator<Uint8Array> {
  for (let piece = first; piece.done !== true; piece = await iterator.next()) yield piece.value.data
}
