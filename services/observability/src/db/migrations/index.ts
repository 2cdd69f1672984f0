import type { Migration } from '@slipway/shared/db'
import { consumedEventMigration } from '@slipway/shared/events'

import * as deployments from './20261121T1400-deployments.ts'

/**
 * Observability's migrations in their order. Names are for ever: a database remembers which ones it
 * has.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '20261121T1350-consumed-event': consumedEventMigration,
  '20261121T1400-deployments': deployments,
}
