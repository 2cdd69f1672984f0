import { timestampDate } from '@bufbuild/protobuf/wkt'
import { createClient, type Transport } from '@connectrpc/connect'
import { Role } from '@slipway/proto/slipway/catalog/v1/account'
import type { VerifyMachineTokenResponse } from '@slipway/proto/slipway/catalog/v1/machine_token'
import { MachineTokenService } from '@slipway/proto/slipway/catalog/v1/machine_token_service'

import { MACHINE_TOKEN_REALM, NO_PROFILE } from '../auth/caller.ts'
import { toDomainError } from '../rpc/policies/error-mapping.ts'
import { MachineTokenVerifier, type MachineCaller } from './machine-token-verifier.ts'

const TIMEOUT_MS = 5_000
/** A token that is revoked elsewhere is rejected after at most this time. */
const CACHE_MS = 5_000

/**
 * Creates the verifier of a service other than the catalog, which asks the catalog with the token
 * itself. Call `drop` when an event says that an account has changed.
 */
export function createRemoteVerifier(catalog: Transport, now?: () => number): MachineTokenVerifier {
  const client = createClient(MachineTokenService, catalog)
  return new MachineTokenVerifier({
    cacheMs: CACHE_MS,
    ...(now && { now }),
    async lookUp(token) {
      const headers = { authorization: `Bearer ${token}` }
      const options = { headers, timeoutMs: TIMEOUT_MS }
      const found = await client.verifyMachineToken({}, options).catch((error: unknown) => {
        throw toDomainError(error)
      })
      return toCaller(found, token)
    },
  })
}

function toCaller(found: VerifyMachineTokenResponse, token: string): MachineCaller {
  const { id, name, role, accountId, expireTime, countsFor } = found
  return {
    kind: 'user',
    realm: MACHINE_TOKEN_REALM,
    subject: id,
    profile: NO_PROFILE,
    expireTime: expireTime === undefined ? new Date(0) : timestampDate(expireTime),
    token,
    machineToken: {
      id,
      name,
      accountId,
      role: role === Role.ADMIN ? 'admin' : 'member',
      countsFor,
    },
  }
}
