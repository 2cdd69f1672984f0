import { sql } from 'kysely'

import type { Db } from './tables.ts'

/** How long a replaced token stays valid if the deployment doesn't become ready. */
const MAX_UNTIL_READY = sql`interval '1 hour'`
/** Once the deployment is ready, its former pods may still be ending and sending spans. */
const AFTER_READY = sql`interval '1 minute'`
/** Beyond this, the token that was replaced first ends. */
const MAX_FORMER = 8

/**
 * For how long a replaced ingest token stays valid: until the pods with the new one are ready, or
 * for a time in milliseconds.
 */
export type TokenGrace = 'until_ready' | { readonly ms: number }

/**
 * Keeps the deployment's current ingest token, which is about to be replaced, as a former one.
 * Returns until when it is valid at most, from the database's clock; undefined if it ends at once.
 */
export async function keepFormerToken(
  db: Db,
  deploymentId: string,
  grace: TokenGrace,
): Promise<Date | undefined> {
  const untilReady = grace === 'until_ready'
  if (!untilReady && grace.ms === 0) return undefined
  const { rows } = await sql<{ expire_time: Date }>`
    INSERT INTO former_ingest_token (token_sha256, deployment_id, expire_time, ends_when_ready)
    SELECT ingest_token_sha256, id, now() + ${durationOf(grace)}, ${untilReady}
      FROM deployment WHERE id = ${deploymentId} AND ingest_token_sha256 IS NOT NULL
    RETURNING expire_time`.execute(db)
  await sql`
    DELETE FROM former_ingest_token WHERE deployment_id = ${deploymentId} AND (
      expire_time <= now() OR token_sha256 IN (
        SELECT token_sha256 FROM former_ingest_token WHERE deployment_id = ${deploymentId}
         ORDER BY replace_time DESC OFFSET ${MAX_FORMER}))`.execute(db)
  return rows[0]?.expire_time
}

/** Lets no former token of the deployment outlast a grace time that begins now. */
export async function shortenFormerTokens(
  db: Db,
  deploymentId: string,
  grace: TokenGrace,
): Promise<void> {
  await sql`
    UPDATE former_ingest_token
       SET expire_time = least(expire_time, now() + ${durationOf(grace)}),
           ends_when_ready = ends_when_ready OR ${grace === 'until_ready'}
     WHERE deployment_id = ${deploymentId}`.execute(db)
}

/** Ends the former tokens that are valid until the deployment is ready, which it is now. */
export async function endTokensOfFormerPods(db: Db, deploymentId: string): Promise<void> {
  await sql`
    UPDATE former_ingest_token
       SET expire_time = least(expire_time, now() + ${AFTER_READY}), ends_when_ready = false
     WHERE deployment_id = ${deploymentId} AND ends_when_ready`.execute(db)
}

/** Ends all former tokens of a deployment. */
export async function deleteFormerTokens(db: Db, deploymentId: string): Promise<void> {
  await db.deleteFrom('former_ingest_token').where('deployment_id', '=', deploymentId).execute()
}

function durationOf(grace: TokenGrace) {
  return grace === 'until_ready' ? MAX_UNTIL_READY : sql`${grace.ms} * interval '1 millisecond'`
}
