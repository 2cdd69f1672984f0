import type { TokenVerifier } from '@slipway/shared/auth'
import type { MachineTokenVerifier } from '@slipway/shared/machine-tokens'
import type { Logger } from '@slipway/shared/logger'

import type { Clients } from './backend/clients.ts'
import type { GatewayConfig } from './config.ts'
import type { TokenBuckets } from './http/limits/token-buckets.ts'
import type { PublicAnswers } from './public-answers/public-answers.ts'
import type { SignIn } from './sessions/sign-in.ts'

/** The gateway's dependencies. */
export interface GatewayContext {
  readonly config: GatewayConfig
  readonly logger: Logger
  readonly tokenVerifier: TokenVerifier
  /** The part of `tokenVerifier` for machine tokens. */
  readonly machineTokenVerifier: MachineTokenVerifier
  readonly clients: Clients
  readonly publicAnswers: PublicAnswers
  /** Limits what users change, with requests and with sign-ins. */
  readonly changes: TokenBuckets
  /** How people sign in with a browser; undefined if they can't. */
  readonly signIn: SignIn | undefined
}
