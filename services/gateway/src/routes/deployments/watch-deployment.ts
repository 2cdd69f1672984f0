import { Readable } from 'node:stream'

import { Type } from 'typebox'

import { streamFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { problems } from '../../http/schemas/problem-schemas.ts'
import { AgentPath } from '../path-parameters.ts'
import { resumeAfter, toServerSentEvents } from './deployment-events.ts'
import { eventsExample } from './examples.ts'
import { ServerSentEvent } from './state-schemas.ts'

/**
 * `GET /agents/{account}/{name}/deployment/events`: server-sent events of a deployment. A client
 * that reconnects with `Last-Event-ID` misses nothing: it gets the events since that one, or a
 * snapshot if they are no longer available.
 */
export function addWatchDeploymentRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/agents/:account/:name/deployment/events',
    {
      // The length of a stream is unknown, and a HEAD would start one that is never read.
      exposeHeadRoute: false,
      config: { waitsLong: true },
      schema: {
        operationId: 'watchDeployment',
        summary: 'Events of a deployment (server-sent events)',
        description:
          'The stream stays open until the client, the access token or the membership ends. A ' +
          'client that reconnects with the id of the last event misses nothing. When a service ' +
          'stops, for example for an upgrade, the stream ends with `retry: 1000` and the comment ' +
          '`: interrupted; reconnect with Last-Event-ID: …`.',
        tags: ['deployments'],
        params: AgentPath,
        headers: Type.Object({
          'last-event-id': Type.Optional(
            Type.String({
              pattern: '^[0-9a-f-]{36}:\\d{1,15}$',
              description: 'Resume after this event',
            }),
          ),
        }),
        response: {
          200: {
            description:
              'The events. The first one is a `snapshot` of the deployment, unless the stream ' +
              'resumes after Last-Event-ID',
            content: {
              'text/event-stream': {
                schema: Type.Unsafe<Readable>({
                  type: 'string',
                  contentMediaType: 'text/event-stream',
                  contentSchema: ServerSentEvent,
                  description: 'A stream of events',
                }),
                example: eventsExample,
              },
            },
          },
          ...problems(400, 401, 403, 404, 503),
        },
      },
    },
    async (request, reply) => {
      const watched = { ...request.params, ...resumeAfter(request.headers['last-event-id']) }
      const events = clients.deployments
        .watchDeployment(watched, streamFor(request, reply, { isEndless: true }))
        [Symbol.asyncIterator]()
      // Until the first event, an error can still be sent as a problem body.
      const first = await events.next()
      reply
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .type('text/event-stream')
      return await reply.send(Readable.from(toServerSentEvents(first, events)))
    },
  )
}
