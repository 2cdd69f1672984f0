import type { DescService } from '@bufbuild/protobuf'

/**
 * Who may call an RPC. `public`: anyone, the token isn't looked at. `optional`: anyone, a good
 * token tells who it is, a bad one counts as none. `user`: people. `service`: services with their
 * own token.
 */
export type Access = 'public' | 'optional' | 'user' | 'service'

/** Who may call each RPC of a service; the compiler insists that none is forgotten. */
export type AccessRules<Service extends DescService> = {
  readonly [Method in keyof Service['method']]: Access
}
