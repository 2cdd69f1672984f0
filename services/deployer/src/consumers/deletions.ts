import { transaction, type Database } from '@slipway/shared/db'
import { applyOnce, startDurableConsumer, type Nats } from '@slipway/shared/events'
import type { Logger } from '@slipway/shared/logger'

import { deleteHistory } from '../db/deletions.ts'
import type { DeployerSchema } from '../db/tables.ts'

const DURABLE = 'deployer-deletions'

/** Deletes the history of the deployments of deleted agents and accounts. */
export function startDeletions(options: {
  readonly db: Database<DeployerSchema>
  readonly nats: Nats
  readonly logger: Logger
}): AsyncDisposable {
  const { db, nats, logger } = options
  return startDurableConsumer({
    nats,
    logger,
    durable: DURABLE,
    filterSubjects: ['slipway.agent.*.*.deleted', 'slipway.account.*.*.deleted'],
    async handle(event) {
      const { accountId, aggregateId, payload } = event
      if (payload.case !== 'agentDeleted' && payload.case !== 'accountDeleted') return
      const agent =
        payload.case === 'agentDeleted' ? { id: aggregateId, name: payload.value.agent } : undefined
      await transaction(db, async (trx) => {
        if (await applyOnce(trx, DURABLE, event)) await deleteHistory(trx, { accountId, agent })
      })
    },
  })
}
