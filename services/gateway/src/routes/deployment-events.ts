import { Readable } from 'node:stream'

import type { WatchDeploymentResponse } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { Type } from 'typebox'

import type { App } from '../app.ts'
import { streamFor } from '../call.ts'
import type { GatewayContext } from '../context.ts'
import { AgentPath, needsToken, problems } from '../schemas/common.ts'
import { toTimeText } from '../time.ts'
import { toStateName } from './deployment-mapping.ts'

/** A comment is sent this often when nothing happens, so that proxies keep the connection. */
const KEEP_ALIVE_MS = 15_000

/**
 * `GET /agents/{account}/{name}/deployment/events`: what happens to a deployment, as server-sent events. The id of an
 * event is its sequence; a client that comes back with `Last-Event-ID` misses nothing.
 */
export function addDeploymentEventsRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/agents/:account/:name/deployment/events',
    {
      schema: {
        operationId: 'watchDeployment',
        summary: 'Events of a deployment (server-sent events)',
        tags: ['deployments'],
        security: needsToken,
        params: AgentPath,
        headers: Type.Object({
          'last-event-id': Type.Optional(
            Type.String({ pattern: '^\\d{1,15}$', description: 'Go on after this event' }),
          ),
        }),
        response: {
          200: {
            description: 'The events; without Last-Event-ID the first one is `snapshot`, how the deployment stands',
            content: { 'text/event-stream': { schema: Type.Unsafe<Readable>({ type: 'string' }) } },
          },
          ...problems(400, 401, 403, 404, 503),
        },
      },
    },
    async (request, reply) => {
      const last = request.headers['last-event-id']
      const watched = { ...request.params, ...(last === undefined ? {} : { afterSequence: BigInt(last) }) }
      const events = clients.deployments.watchDeployment(watched, streamFor(request, reply))[Symbol.asyncIterator]()
      // An error before the first event is still a problem body.
      const first = await events.next()
      reply.header('cache-control', 'no-store').header('x-accel-buffering', 'no').type('text/event-stream')
      return await reply.send(Readable.from(serverSentEvents(first, events)))
    },
  )
}

/** https://html.spec.whatwg.org/multipage/server-sent-events.html */
async function* serverSentEvents(
  first: IteratorResult<WatchDeploymentResponse>,
  events: AsyncIterator<WatchDeploymentResponse>,
): AsyncGenerator<string> {
  for (let event = first; event.done !== true;) {
    yield format(event.value)
    const next = events.next()
    let arrived: IteratorResult<WatchDeploymentResponse> | undefined
    while (arrived === undefined) {
      arrived = await settledWithin(next, KEEP_ALIVE_MS)
      if (arrived === undefined) yield ': nothing new\n\n'
    }
    event = arrived
  }
}

async function settledWithin<Value>(promise: Promise<Value>, timeoutMs: number): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, undefined)
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}

function format(event: WatchDeploymentResponse): string {
  if (event.type === 'resumed') return ': resumed\n\n'
  const data = {
    type: event.type,
    time: toTimeText(event.commitTime),
    revision: event.revision,
    build_id: event.buildId,
    ...(event.state === 0 ? {} : { state: toStateName(event.state) }),
    ...(event.reason === '' ? {} : { reason: event.reason }),
    ...(event.errors.length === 0 ? {} : { errors: event.errors }),
  }
  return `id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(data)}\n\n`
}
