import { createParser, type EventSourceMessage } from 'eventsource-parser'

import type { Schemas } from '../types.ts'
import {
  continued,
  type AgentName,
  type End,
  type StreamContext,
  type StreamOptions,
} from './continued.ts'
import { readText } from './read-text.ts'

/** Options of the events of a deployment. */
export interface DeploymentEventOptions extends StreamOptions {
  /** Resumes after the event with this id, e.g. that of the last run of a program. */
  readonly lastEventId?: string | undefined
}

/** An event of a deployment. */
export interface ReceivedEvent {
  /** For `lastEventId`. */
  readonly id: string
  readonly event: Schemas['DeploymentEvent']
}

const PATH = '/api/v1/agents/{account}/{name}/deployment/events'
/** The server sends a comment every 15 s. */
const SILENCE_MS = 45_000

/** Yields the events of a deployment, each once, over as many connections as it takes. */
export function deploymentEvents(
  context: StreamContext,
  { account, name }: AgentName,
  options: DeploymentEventOptions = {},
): AsyncGenerator<ReceivedEvent, void> {
  let lastId = options.lastEventId
  let isUndeployed = false
  const connect = () => ({
    method: 'GET',
    url: `${context.origin}${PATH.replace('{account}', account).replace('{name}', name)}`,
    async *read(onProgress: () => void, signal: AbortSignal): AsyncGenerator<ReceivedEvent, End> {
      if (isUndeployed) return 'complete'
      const header = lastId === undefined ? {} : { 'last-event-id': lastId }
      const { response } = await context.call('get', PATH, {
        params: { path: { account, name }, header },
        parseAs: 'stream',
        signal,
      })
      const reading = { origin: context.origin, silenceMs: SILENCE_MS, onProgress }
      for await (const message of parse(readText(response.body, reading))) {
        if (message.id === undefined || isRepeated(message.id, lastId)) continue
        lastId = message.id
        const event = JSON.parse(message.data) as Schemas['DeploymentEvent']
        isUndeployed = event.type === 'undeployed'
        yield { id: message.id, event }
      }
      return isUndeployed ? 'complete' : 'interrupted'
    },
  })
  return continued(context, connect, options)
}

async function* parse(pieces: AsyncIterable<string>): AsyncGenerator<EventSourceMessage, void> {
  const messages: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (message) => messages.push(message) })
  for await (const piece of pieces) {
    parser.feed(piece)
    yield* messages.splice(0)
  }
}

/** Whether an event is not later than the last one of the same deployment. */
export function isRepeated(id: string, lastId: string | undefined): boolean {
  const [deployment, sequence] = id.split(':')
  const [lastDeployment, lastSequence] = (lastId ?? '').split(':')
  return deployment === lastDeployment && Number(sequence) <= Number(lastSequence)
}
