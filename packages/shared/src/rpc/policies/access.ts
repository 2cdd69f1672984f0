import type { DescService } from '@bufbuild/protobuf'

/**
 * The allowed callers of an RPC. `public`: anyone; the token is ignored. `optional`: anyone; a
 * valid token identifies the caller and an invalid one is ignored. `user`: users. `service`:
 * services with their own token.
 */
export type Access = 'public' | 'optional' | 'user' | 'service'

/** The allowed callers of each RPC of a service. The compiler checks that every RPC has a rule. */
export type AccessRules<Service extends DescService> = {
  readonly [Method in keyof Service['method']]: Access
}
