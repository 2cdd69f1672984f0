export { bearerToken } from './bearer-token.ts'
export {
  MACHINE_TOKEN_REALM,
  NO_PROFILE,
  userKey,
  type Caller,
  type MachineTokenFacts,
  type ServiceCaller,
  type UserCaller,
  type UserProfile,
} from './caller.ts'
export { discoverIssuers } from './discover-issuers.ts'
export { isSecure, parseIssuers, readIssuers, type Issuer, type IssuerSetting } from './issuers.ts'
export type { LoginClient } from './login-client.ts'
export { isVerified, profileOf } from './profile.ts'
export {
  createServiceTokenSource,
  readServiceTokenConfig,
  type ServiceTokenConfig,
  type ServiceTokenSource,
} from './service-token.ts'
export { startTokenVerifier } from './start-token-verifier.ts'
export { createTokenVerifier, verifiedClaims, type TokenVerifier } from './token-verifier.ts'
