import type { AgentName, Client, ReceivedEvent } from '@slipway/client'

/**
 * Yields the events of a deployment from its first one, if the server still has it, or else from a
 * snapshot of its state. Ends with the last one, unless new ones are followed.
 */
export async function* readEvents(
  client: Client,
  agent: AgentName,
  follow: boolean,
  signal: AbortSignal,
): AsyncGenerator<ReceivedEvent> {
  const snapshot = await firstEvent(client, agent, signal)
  if (snapshot === undefined) return
  const [deployment = '', last = '0'] = snapshot.id.split(':')
  if (last === '0' && !follow) {
    yield snapshot
    return
  }
  const lastEventId = `${deployment}:0`
  for await (const received of client.deploymentEvents(agent, { lastEventId, signal })) {
    yield received
    const sequence = Number(received.id.split(':')[1])
    // A deploy may have replaced the deployment, whose events end then.
    const isLast = sequence >= Number(last) || !received.id.startsWith(deployment)
    if (!follow && isLast) return
  }
}

/** The first event of a stream is a snapshot, whose id is that of the last event until then. */
async function firstEvent(
  client: Client,
  agent: AgentName,
  signal: AbortSignal,
): Promise<ReceivedEvent | undefined> {
  for await (const event of client.deploymentEvents(agent, { signal })) return event
  return undefined
}
