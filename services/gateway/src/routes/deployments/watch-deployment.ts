import { Readable } from 'node:stream'

import {
  DeploymentEventType,
  type WatchDeploymentResponse,
} from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { Type } from 'typebox'

import type { App } from '../../http/app-type.ts'
import { streamFor } from '../../backend/call-options.ts'
import type { GatewayContext } from '../../context.ts'
import { needsToken, problems } from '../../http/schemas.ts'
import { AgentPath } from '../path-parameters.ts'
import { toTimeText } from '../../http/time.ts'
import { toStateName } from './mapping.ts'

/** A comment is sent this often when nothing happens, so that proxies keep the connection. */
const KEEP_ALIVE_MS = 15_000

const EVENT_TYPE_NAMES: Readonly<Record<number, string>> = {
  [DeploymentEventType.SNAPSHOT]: 'snapshot',
  [DeploymentEventType.REQUESTED]: 'requested',
  [DeploymentEventType.APPLIED]: 'applied',
  [DeploymentEventType.PARTIAL]: 'partial',
  [DeploymentEventType.FAILED]: 'failed',
  [DeploymentEventType.STATE_CHANGED]: 'state_changed',
  [DeploymentEventType.UNDEPLOY_REQUESTED]: 'undeploy_requested',
  [DeploymentEventType.UNDEPLOYED]: 'undeployed',
  [DeploymentEventType.INGEST_TOKEN_ROTATED]: 'ingest_token_rotated',
}

/**
 * `GET /agents/{account}/{name}/deployment/events`: what happens to a deployment, as server-sent
 * events. A client that comes back with `Last-Event-ID` misses nothing: what can't be told any more
 * is in the snapshot that it then gets.
 */
export function addDeploymentEventsRoute(app: App, { clients }: GatewayContext): void {
  app.get(
    '/api/v1/agents/:account/:name/deployment/events',
    {
      // A stream has no length to tell; asking for one would start it for nobody.
      exposeHeadRoute: false,
      schema: {
        operationId: 'watchDeployment',
        summary: 'Events of a deployment (server-sent events)',
        tags: ['deployments'],
        security: needsToken,
        params: AgentPath,
        headers: Type.Object({
          'last-event-id': Type.Optional(
            Type.String({
              pattern: '^[0-9a-f-]{36}:\\d{1,15}$',
              description: 'Go on after this event',
            }),
          ),
        }),
        response: {
          200: {
            description:
              'The events. The first one is `snapshot`, how the deployment stands, unless they go on after Last-Event-ID',
            content: { 'text/event-stream': { schema: Type.Unsafe<Readable>({ type: 'string' }) } },
          },
          ...problems(400, 401, 403, 404, 503),
        },
      },
    },
    async (request, reply) => {
      const watched = { ...request.params, ...placeOf(request.headers['last-event-id']) }
      const events = clients.deployments
        .watchDeployment(watched, streamFor(request, reply))
        [Symbol.asyncIterator]()
      // An error before the first event is still a problem body.
      const first = await events.next()
      reply
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .type('text/event-stream')
      return await reply.send(Readable.from(serverSentEvents(first, events)))
    },
  )
}

/** The id of an event: another deployment of the same agent counts its events anew. */
function idOf({ deploymentId, sequence }: WatchDeploymentResponse): string {
  return `${deploymentId}:${sequence}`
}

function placeOf(lastEventId: string | undefined): {
  afterDeploymentId?: string
  afterSequence?: bigint
} {
  const [afterDeploymentId, sequence] = lastEventId?.split(':') ?? []
  return afterDeploymentId === undefined
    ? {}
    : { afterDeploymentId, afterSequence: BigInt(sequence ?? '') }
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

async function settledWithin<Value>(
  promise: Promise<Value>,
  timeoutMs: number,
): Promise<Value | undefined> {
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
  if (event.type === DeploymentEventType.RESUMED) return ': resumed\n\n'
  const type = EVENT_TYPE_NAMES[event.type] ?? 'unspecified'
  const data = {
    type,
    time: toTimeText(event.commitTime),
    revision: event.revision,
    build_id: event.buildId,
    ...(event.state === 0 ? {} : { state: toStateName(event.state) }),
    ...(event.reason === '' ? {} : { reason: event.reason }),
    ...(event.errors.length === 0 ? {} : { errors: event.errors }),
  }
  return `id: ${idOf(event)}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}
