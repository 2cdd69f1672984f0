import { DeploymentEventType } from '@slipway/proto/slipway/deployer/v1/deployment_event'
import type { WatchDeploymentResponse } from '@slipway/proto/slipway/deployer/v1/watch_deployment'
import { nameOf } from '@slipway/shared/enum-names'
import type { Static } from 'typebox'

import { toTimeText } from '../../http/requests/time.ts'
import { withLastPiece } from './interruption.ts'
import { toStateName } from './mapping.ts'
import type { DeploymentEvent } from './state-schemas.ts'

/** How long clients wait before they continue an interrupted stream. */
const RETRY_MS = 1_000
/** How often to send a comment while nothing happens, so that proxies keep the connection open. */
const KEEP_ALIVE_MS = 15_000

/**
 * Formats the events of a deployment as server-sent events
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html). `first` has been read already.
 * An interrupted stream ends with a comment that has the id of the last event.
 */
export function toServerSentEvents(
  first: IteratorResult<WatchDeploymentResponse>,
  events: AsyncIterator<WatchDeploymentResponse>,
): AsyncGenerator<string> {
  let lastId = ''
  const texts = format(first, events, (id) => {
    lastId = id
  })
  return withLastPiece(
    texts,
    () => `retry: ${RETRY_MS}\n: interrupted; reconnect with Last-Event-ID: ${lastId}\n\n`,
  )
}

async function* format(
  first: IteratorResult<WatchDeploymentResponse>,
  events: AsyncIterator<WatchDeploymentResponse>,
  onEvent: (id: string) => void,
): AsyncGenerator<string> {
  for (let event = first; event.done !== true;) {
    onEvent(idOf(event.value))
    yield formatEvent(event.value)
    const next = events.next()
    let arrived: IteratorResult<WatchDeploymentResponse> | undefined
    while (arrived === undefined) {
      arrived = await settledWithin(next, KEEP_ALIVE_MS)
      if (arrived === undefined) yield ': nothing new\n\n'
    }
    event = arrived
  }
}

/** The start of a watch that resumes after the event with this id. */
export function resumeAfter(lastEventId: string | undefined): {
  afterDeploymentId?: string
  afterSequence?: bigint
} {
  const [afterDeploymentId, sequence] = lastEventId?.split(':') ?? []
  return afterDeploymentId === undefined
    ? {}
    : { afterDeploymentId, afterSequence: BigInt(sequence ?? '') }
}

function formatEvent(event: WatchDeploymentResponse): string {
  const type = nameOf(DeploymentEventType, event.type) ?? 'unspecified'
  if (type === 'resumed') return ': resumed\n\n'
  const data: Static<typeof DeploymentEvent> = {
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

/** Contains the deployment's id, since each deployment of an agent counts its events from 1. */
function idOf({ deploymentId, sequence }: WatchDeploymentResponse): string {
  return `${deploymentId}:${sequence}`
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
