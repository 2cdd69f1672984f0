import {
  deleteFormerTokens,
  keepFormerToken,
  shortenFormerTokens,
} from '../db/former-ingest-tokens.ts'
import type { Db } from '../db/tables.ts'
import type { Intent } from './intent.ts'

/**
 * Keeps the ingest token that an intent replaces for its grace time, or ends all former tokens if
 * the deployment no longer sends traces. Returns until when the token is valid at most; undefined
 * if it has ended or isn't replaced.
 */
export async function retireIngestToken(
  trx: Db,
  { subject: { deploymentId }, composed, tokenGrace }: Intent,
): Promise<Date | undefined> {
  if (composed.telemetrySecret === undefined) await deleteFormerTokens(trx, deploymentId)
  if (composed.newTokenSha256 === undefined) return undefined
  if (tokenGrace !== undefined) await shortenFormerTokens(trx, deploymentId, tokenGrace)
  return await keepFormerToken(trx, deploymentId, tokenGrace ?? 'until_ready')
}
