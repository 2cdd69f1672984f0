import { MACHINE_TOKEN_REALM, NO_PROFILE, userKey } from '@slipway/shared/auth'
import type { Database } from '@slipway/shared/db'
import { Unauthenticated } from '@slipway/shared/errors'
import type { Logger } from '@slipway/shared/logger'
import {
  hashMachineToken,
  MachineTokenVerifier,
  type MachineCaller,
} from '@slipway/shared/machine-tokens'
import { LRUCache } from 'lru-cache'

import { findValidToken, recordUse, type ValidTokenRow } from './db/machine-tokens.ts'
import type { CatalogSchema } from './db/tables.ts'

const USE_INTERVAL_MS = 60_000
const MAX_USES = 10_000

/**
 * Creates the verifier of machine tokens by the database. It caches none, so that a revoked one is
 * rejected at once. The last use is stored at most once a minute, in the background.
 */
export function createMachineTokenVerifier(
  db: Database<CatalogSchema>,
  logger: Logger,
): MachineTokenVerifier {
  const used = new LRUCache<string, true>({ max: MAX_USES, ttl: USE_INTERVAL_MS })

  function recordOnce(id: string): void {
    if (used.has(id)) return
    used.set(id, true)
    recordUse(db, id).catch((error: unknown) => {
      used.delete(id)
      logger.warn({ err: error }, 'token_use_not_stored')
    })
  }

  return new MachineTokenVerifier({
    cacheMs: 0,
    async lookUp(token) {
      const row = await findValidToken(db, hashMachineToken(token))
      if (row === undefined) {
        const cause = new Error('no machine token of this kind is valid')
        throw new Unauthenticated('invalid_token', 'the access token is not valid', { cause })
      }
      recordOnce(row.id)
      return toCaller(row, token)
    },
  })
}

function toCaller(row: ValidTokenRow, token: string): MachineCaller {
  const creator = { realm: row.creator_realm, subject: row.creator_subject }
  return {
    kind: 'user',
    realm: MACHINE_TOKEN_REALM,
    subject: row.id,
    profile: NO_PROFILE,
    expireTime: row.expire_time,
    token,
    machineToken: {
      id: row.id,
      name: row.name,
      accountId: row.account_id,
      role: row.role,
      countsFor: userKey(creator),
    },
  }
}
