import type { TokenVerifier } from '@slipway/shared/auth'
import type { Logger } from '@slipway/shared/logger'

import type { Clients } from './backend/clients.ts'
import type { GatewayConfig } from './config.ts'
import type { PublicAnswers } from './public-answers/public-answers.ts'

/** The gateway's dependencies. */
export interface GatewayContext {
  readonly config: GatewayConfig
  readonly logger: Logger
  readonly tokenVerifier: TokenVerifier
  readonly clients: Clients
  readonly publicAnswers: PublicAnswers
}
