import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { createDatabase, transaction } from '@slipway/shared/db'
import {
  appendEvent,
  connectNats,
  outboxMigration,
  startOutboxRelay,
  type EventInput,
} from '@slipway/shared/events'
import { createLogger } from '@slipway/shared/logger'
import { testDatabase } from '@slipway/testing'

/** Publishes events through an outbox, as catalog and deployer do. */
export interface Publisher extends AsyncDisposable {
  publish(input: EventInput): Promise<void>
}

/** Starts a publisher with its own database. */
export async function startPublisher(natsUrl: string): Promise<Publisher> {
  await using starting = new AsyncDisposableStack()
  const logger = createLogger('publisher', 'silent')
  const database = starting.use(await testDatabase({ migrations: { '1-outbox': outboxMigration } }))
  const db = starting.use(
    createDatabase<object>({ url: database.url, applicationName: 'publisher', poolSize: 2 }),
  )
  const nats = starting.use(connectNats({ url: natsUrl, name: 'publisher', logger }))
  starting.use(startOutboxRelay({ db, nats, logger }))
  const running = starting.move()
  return {
    async publish(input) {
      await transaction(db, (trx) => appendEvent(trx, input))
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** Returns a deployment event of the account `acc-1`. */
export function deploymentEvent(
  deploymentId: string,
  event: 'deploymentApplied' | 'undeployRequested' | 'ingestTokenRotated',
  changes: { agent?: string; buildId?: string; revision?: number; formerExpireTime?: Date } = {},
): EventInput {
  const deployment = {
    agent: changes.agent ?? 'helper',
    sourceAccountId: 'acc-1',
    buildId: changes.buildId ?? 'build-1',
    revision: changes.revision ?? 1,
    k8sNamespace: 'ns-1',
  }
  const { formerExpireTime } = changes
  const expiry = formerExpireTime && { formerExpireTime: timestampFromDate(formerExpireTime) }
  return {
    accountId: 'acc-1',
    aggregateId: deploymentId,
    kind: 'deployment',
    event: event.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    payload: { case: event, value: { deployment, ...expiry } },
  }
}
