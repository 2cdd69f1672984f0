import type { Migration } from '@slipway/shared/db'
import { outboxMigration } from '@slipway/shared/events'
import { idempotencyMigration, idempotencyOwnerMigration } from '@slipway/shared/idempotency'

import * as accounts from './20261121T1300-accounts.ts'
import * as agents from './20261121T1310-agents.ts'
import * as buildGaps from './20261122T1910-build-gaps.ts'
import * as accountUsage from './20261122T1920-account-usage.ts'
import * as memberships from './20261122T1930-memberships.ts'
import * as imageDigests from './20261122T1940-image-digests.ts'
import * as deletions from './20261122T1950-deletions.ts'
import * as machineTokens from './20261123T2000-machine-tokens.ts'
import * as browserSessions from './20261123T2240-browser-sessions.ts'
import * as claimsTime from './20261127T1510-claims-time.ts'
import * as publishedNames from './20261128T0300-published-names.ts'
import * as commits from './20261128T0640-commits.ts'

/** The catalog's migrations. Their names must never change: databases store them. */
export const migrations: Readonly<Record<string, Migration>> = {
  '20261121T1250-outbox': outboxMigration,
  '20261121T1300-accounts': accounts,
  '20261121T1310-agents': agents,
  '20261121T1410-idempotency': idempotencyMigration,
  '20261122T1910-build-gaps': buildGaps,
  '20261122T1920-account-usage': accountUsage,
  '20261122T1930-memberships': memberships,
  '20261122T1940-image-digests': imageDigests,
  '20261122T1950-deletions': deletions,
  '20261123T0310-idempotency-owner': idempotencyOwnerMigration,
  '20261123T2000-machine-tokens': machineTokens,
  '20261123T2240-browser-sessions': browserSessions,
  '20261127T1510-claims-time': claimsTime,
  '20261128T0300-published-names': publishedNames,
  '20261128T0640-commits': commits,
}
