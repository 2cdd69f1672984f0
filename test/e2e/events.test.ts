import { fromBinary } from '@bufbuild/protobuf'
import { jetstream } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { EventSchema, type Event } from '@slipway/proto/slipway/events/v1/event'
import { afterAll, expect, test } from 'vitest'

import { request } from '../support/api.ts'
import { fromStack } from '../support/environment.ts'
import {
  API_TOKEN,
  registerSupportAgent,
  undeploy,
  type RegisteredAgent,
} from '../support/support-agent.ts'

const NAME = 'events-agent'
let agent: RegisteredAgent | undefined

afterAll(async () => {
  if (agent !== undefined) await undeploy(agent)
})

test('publishes each event of an agent once, in order, with the id of its request', async () => {
  const connection = await connect({ servers: fromStack('NATS_URL') })
  const consumer = await jetstream(connection).consumers.get('SLIPWAY', { deliver_policy: 'new' })
  const messages = await consumer.consume()
  const events: Event[] = []
  const reading = (async () => {
    for await (const message of messages) {
      const event = fromBinary(EventSchema, message.data)
      if (nameIn(event) === NAME) events.push(event)
      if (event.payload.case === 'undeployed' && nameIn(event) === NAME) break
    }
  })()

  agent = await registerSupportAgent(NAME)
  const { account, buildId } = agent
  const headers = { 'x-request-id': 'the-publish-of-the-events-test' }
  await request('POST', `/agents/${account}/${NAME}/publish`, {
    as: 'alice',
    headers,
    body: { build_id: buildId, version: '1.0.0' },
  })
  const body = { account, name: NAME, user_credentials: { SUPPORT_API_TOKEN: API_TOKEN } }
  expect((await request('POST', '/deploy', { as: 'alice', body })).status).toBe(200)
  expect(
    (await request('POST', '/undeploy', { as: 'alice', body: { account, name: NAME } })).status,
  ).toBe(200)
  await reading
  await connection.drain()

  const cases = events.map(({ payload }) => payload.case)
  expect(cases).toEqual(
    expect.arrayContaining([
      'buildRegistered',
      'versionPublished',
      'deploymentRequested',
      'deploymentApplied',
      'undeployRequested',
      'undeployed',
    ]),
  )
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  for (const aggregate of new Set(events.map(({ aggregateId }) => aggregateId))) {
    const sequences = events
      .filter(({ aggregateId }) => aggregateId === aggregate)
      .map(({ sequence }) => Number(sequence))
    expect(sequences).toEqual([...sequences].sort((left, right) => left - right))
    expect(new Set(sequences).size).toBe(sequences.length)
  }
  expect(events.find(({ payload }) => payload.case === 'versionPublished')?.requestId).toBe(
    'the-publish-of-the-events-test',
  )
})

function nameIn({ payload: { value } }: Event): string | undefined {
  if (value === undefined) return undefined
  if ('deployment' in value) return value.deployment?.agent
  return 'agent' in value ? value.agent : undefined
}
