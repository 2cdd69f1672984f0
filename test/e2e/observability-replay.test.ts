import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { waitFor } from '@slipway/testing'
import pg from 'pg'
import { expect, test } from 'vitest'

import { startPlatform } from '@slipway/observability/testing/platform'
import { deploymentEvent, startPublisher } from '@slipway/observability/testing/publisher'

const STREAM = 'SLIPWAY'
const DURABLE = 'observability-deployments'

test('rebuilds a lost index of deployments from the events', async () => {
  await using platform = await startPlatform()
  await using publisher = await startPublisher(platform.nats.url)
  const database = new pg.Client({ connectionString: platform.databaseUrl })
  await database.connect()
  await using connection = {
    nats: await connect({ servers: platform.nats.url }),
    async [Symbol.asyncDispose]() {
      await this.nats.close()
      await database.end()
    },
  }
  const index = async () =>
    (await database.query('SELECT * FROM deployment ORDER BY deployment_id')).rows
  for (const id of ['d-1', 'd-2']) {
    await publisher.publish(deploymentEvent(id, 'deploymentApplied'))
    await publisher.publish(
      deploymentEvent(id, 'deploymentApplied', { buildId: 'build-2', revision: 2 }),
    )
  }
  await publisher.publish(
    deploymentEvent('d-2', 'undeployRequested', { buildId: 'build-2', revision: 2 }),
  )
  const isComplete = async () => {
    const rows = await index()
    return rows.length === 2 && rows[0].revision === 2 && rows[1].is_live === false
  }
  await waitFor(isComplete, { what: 'the index' })
  const before = await index()

  await database.query('DELETE FROM deployment')
  await database.query('DELETE FROM consumed_event WHERE consumer = $1', [DURABLE])
  const manager = await jetstreamManager(connection.nats)
  await manager.consumers.delete(STREAM, DURABLE)
  await waitFor(isComplete, { what: 'the rebuilt index' })
  expect(await index()).toEqual(before)
})
