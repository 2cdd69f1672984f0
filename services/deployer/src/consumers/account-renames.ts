import { transaction, type Database } from '@slipway/shared/db'
import { applyOnce, startDurableConsumer, type Nats } from '@slipway/shared/events'
import type { Logger } from '@slipway/shared/logger'

import { renameSource } from '../db/source-names.ts'
import type { DeployerSchema } from '../db/tables.ts'

const DURABLE = 'deployer-source-names'

/** Keeps the stored names of source accounts up to date when accounts are renamed. */
export function startAccountRenames(options: {
  readonly db: Database<DeployerSchema>
  readonly nats: Nats
  readonly logger: Logger
}): AsyncDisposable {
  const { db, nats, logger } = options
  return startDurableConsumer({
    nats,
    logger,
    durable: DURABLE,
    filterSubjects: ['slipway.account.*.*.renamed'],
    async handle(event) {
      const { accountId, payload } = event
      if (payload.case !== 'accountRenamed') return
      const { newName } = payload.value
      await transaction(db, async (trx) => {
        if (await applyOnce(trx, DURABLE, event)) await renameSource(trx, accountId, newName)
      })
    },
  })
}
