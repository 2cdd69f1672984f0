export { bearerToken } from './bearer-token.ts'
export type { Caller, ServiceCaller, UserCaller, UserProfile } from './caller.ts'
export { parseIssuers, type Issuer } from './issuers.ts'
export {
  createServiceTokenSource,
  readServiceTokenConfig,
  type ServiceTokenConfig,
  type ServiceTokenSource,
} from './service-token.ts'
export { createTokenVerifier, type TokenVerifier } from './token-verifier.ts'
