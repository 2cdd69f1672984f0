import { bearerToken } from '../../auth/bearer-token.ts'
import type { Caller } from '../../auth/caller.ts'
import type { TokenVerifier } from '../../auth/token-verifier.ts'
import { PermissionDenied, Unauthenticated } from '../../errors.ts'
import type { Access } from './access.ts'
import { callerKey } from './call-context.ts'
import type { CallHead } from './open-call.ts'

/**
 * Identifies the caller of a call by its headers. Throws Unauthenticated and PermissionDenied
 * `wrong_caller` unless `access` allows the caller.
 */
export async function authenticate(
  { requestHeader, values }: CallHead,
  access: Access,
  verifier: TokenVerifier,
): Promise<void> {
  if (access === 'public') return
  const token = bearerToken(requestHeader.get('authorization'))
  if (access === 'optional') {
    const caller =
      token === undefined ? undefined : await verifier.verify(token).catch(noCallerIfInvalid)
    values.set(callerKey, caller)
    return
  }
  if (token === undefined)
    throw new Unauthenticated('token_required', 'an access token is required')
  const caller = await verifier.verify(token)
  // Set before the check, so that the log line names rejected callers too.
  values.set(callerKey, caller)
  requireAllowed(caller, access)
}

function requireAllowed(caller: Caller, access: Exclude<Access, 'public' | 'optional'>): void {
  if (access === 'user') {
    if (caller.kind === 'user') return
    throw new PermissionDenied('wrong_caller', 'this call requires the access token of a user')
  }
  if (caller.kind === 'service' && access.services.includes(caller.name)) return
  const allowed = access.services.join(', ')
  throw new PermissionDenied(
    'wrong_caller',
    `this call requires the access token of a service that may make it: ${allowed}`,
  )
}

/** Ignores an invalid token. One that can't be verified now may be valid, so that is an error. */
function noCallerIfInvalid(error: unknown): undefined {
  if (error instanceof Unauthenticated) return undefined
  throw error
}
