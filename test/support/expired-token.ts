import { waitFor } from '@slipway/testing'
import { decodeJwt } from 'jose'

import { shortToken } from './api.ts'

let expired: Promise<string> | undefined

/**
 * A real token of Alice that has expired, even with the verifiers' leeway for clock differences. It
 * takes a while to expire: call this early, and wait for it when it is needed. All files share it.
 */
export async function expiredToken(): Promise<string> {
  expired ??= shortToken().then(async (token) => {
    const end = Number(decodeJwt(token).exp) * 1000 + 11_000
    await waitFor(() => Date.now() > end, { what: 'the token to expire' })
    return token
  })
  return await expired
}
