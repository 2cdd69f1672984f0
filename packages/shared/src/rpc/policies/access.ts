import type { DescService } from '@bufbuild/protobuf'

/**
 * The allowed callers of an RPC. `public`: anyone; the token is ignored. `optional`: anyone; a
 * valid token identifies the caller and an invalid one is ignored. `user`: users, with their own
 * token. Otherwise, only the named services, each with its own token.
 */
export type Access = 'public' | 'optional' | 'user' | ServiceAccess

/** The services that may call an RPC, by their names in AUTH_ISSUERS. */
export interface ServiceAccess {
  readonly services: readonly [string, ...string[]]
}

/** The allowed callers of each RPC of a service. The compiler checks that every RPC has a rule. */
export type AccessRules<Service extends DescService> = {
  readonly [Method in keyof Service['method']]: Access
}
