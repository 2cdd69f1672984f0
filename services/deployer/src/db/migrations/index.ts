import type { Migration } from '@slipway/shared/db'
import { consumedEventMigration, outboxMigration } from '@slipway/shared/events'
import { idempotencyMigration, idempotencyOwnerMigration } from '@slipway/shared/idempotency'

import * as deployments from './20261121T1350-deployments.ts'
import * as attempts from './20261121T1430-attempts.ts'
import * as sourceNames from './20261121T1735-source-names.ts'
import * as storedAnswers from './20261122T0930-stored-answers.ts'
import * as footprints from './20261122T1920-footprints.ts'
import * as goneDeployments from './20261122T1950-gone-deployments.ts'
import * as deletions from './20261122T2030-deletions.ts'
import * as readiness from './20261122T2340-readiness.ts'
import * as ingestionRuns from './20261122T2345-ingestion-runs.ts'
import * as formerIngestTokens from './20261123T1500-former-ingest-tokens.ts'
import * as revisionTokens from './20261123T2010-revision-tokens.ts'
import * as revisionReasons from './20261124T2030-revision-reasons.ts'

/** All migrations of the deployer's database, by name; they run in the order of their names. */
export const migrations: Readonly<Record<string, Migration>> = {
  '20261121T1340-outbox': outboxMigration,
  '20261121T1350-deployments': deployments,
  '20261121T1430-attempts': attempts,
  '20261121T1500-idempotency': idempotencyMigration,
  '20261121T1730-consumed-events': consumedEventMigration,
  '20261121T1735-source-names': sourceNames,
  '20261122T0930-stored-answers': storedAnswers,
  '20261122T1920-footprints': footprints,
  '20261122T1950-gone-deployments': goneDeployments,
  '20261122T2030-deletions': deletions,
  '20261122T2340-readiness': readiness,
  '20261122T2345-ingestion-runs': ingestionRuns,
  '20261123T0310-idempotency-owner': idempotencyOwnerMigration,
  '20261123T1500-former-ingest-tokens': formerIngestTokens,
  '20261123T2010-revision-tokens': revisionTokens,
  '20261124T2030-revision-reasons': revisionReasons,
}
