export { bearerToken } from './bearer-token.ts'
export {
  userKey,
  type Caller,
  type ServiceCaller,
  type UserCaller,
  type UserProfile,
} from './caller.ts'
export { discoverIssuers } from './discover-issuers.ts'
export { parseIssuers, readIssuers, type Issuer, type IssuerSetting } from './issuers.ts'
export {
  createServiceTokenSource,
  readServiceTokenConfig,
  type ServiceTokenConfig,
  type ServiceTokenSource,
} from './service-token.ts'
export { createTokenVerifier, type TokenVerifier } from './token-verifier.ts'
