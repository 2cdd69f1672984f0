import type { Migration } from '@slipway/shared/db'
import { consumedEventMigration } from '@slipway/shared/events'

import * as deployments from './20261121T1400-deployments.ts'

/**
 * The migrations in order. A name never changes: databases record the names of the migrations
 * that they have.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '20261121T1350-consumed-event': consumedEventMigration,
  '20261121T1400-deployments': deployments,
}
