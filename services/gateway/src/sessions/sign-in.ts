import { createServiceTokenSource, type TokenVerifier } from '@slipway/shared/auth'
import type { Logger } from '@slipway/shared/logger'

import type { Clients } from '../backend/clients.ts'
import type { SignInConfig } from './config.ts'
import { IdentityProvider } from './identity-provider.ts'
import { SessionKeys } from './session-keys.ts'
import { SessionStore } from './session-store.ts'
import { Sessions } from './sessions.ts'
import { SharedSite, type AgentHosts } from './shared-site.ts'
import { TokenRenewal } from './token-renewal.ts'

/** The parts with which people sign in with a browser. */
export interface SignIn {
  readonly provider: IdentityProvider
  readonly keys: SessionKeys
  readonly sessions: Sessions
  readonly sharedSite: SharedSite
}

/** What a sign-in needs of the gateway. */
interface SignInDependencies {
  readonly clients: Pick<Clients, 'browserSessions'>
  readonly tokenVerifier: TokenVerifier
  readonly logger: Logger
  readonly agentHosts: AgentHosts
}

/** Creates the parts with which people sign in. */
export function createSignIn(
  config: SignInConfig,
  { clients, tokenVerifier, logger, agentHosts }: SignInDependencies,
): SignIn {
  const provider = new IdentityProvider(config)
  const keys = new SessionKeys(config.keys)
  const token = createServiceTokenSource(config.serviceToken)
  const store = new SessionStore(clients.browserSessions, token)
  const renewal = new TokenRenewal({ store, keys, provider, tokenVerifier, logger })
  const sessions = new Sessions({ keys, store, renewal })
  return { provider, keys, sessions, sharedSite: new SharedSite(agentHosts, logger) }
}
