import type { Migration } from '@slipway/shared/db'
import { consumedEventMigration } from '@slipway/shared/events'

import * as deployments from './20261121T1400-deployments.ts'
import * as spanUsage from './20261122T1940-span-usage.ts'

/**
 * The migrations in order. Their names must never change, because databases store the names of
 * applied migrations.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '20261121T1350-consumed-event': consumedEventMigration,
  '20261121T1400-deployments': deployments,
  '20261122T1940-span-usage': spanUsage,
}
