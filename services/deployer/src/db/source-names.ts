import { sql } from 'kysely'

import type { Db } from './tables.ts'

/** Stores an account's new name in all deployments of other accounts that deploy its agents. */
export async function renameSource(db: Db, accountId: string, name: string): Promise<void> {
  await sql`
    UPDATE revision SET source_account = ${name}
      FROM deployment
     WHERE deployment.id = revision.deployment_id AND revision.source_account <> ''
       AND deployment.source_account_id = ${accountId}
       AND deployment.source_account <> ''`.execute(db)
  await sql`
    UPDATE deployment SET source_account = ${name}
     WHERE source_account_id = ${accountId} AND source_account <> ''`.execute(db)
}
