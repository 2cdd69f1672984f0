import { isSecure } from '@slipway/shared/auth'
import { Unavailable } from '@slipway/shared/errors'
import * as oidc from 'openid-client'

import type { SignInConfig } from './config.ts'

const TIMEOUT_SECONDS = 5
const RETRY_AFTER_MS = 5_000
/** How long the endpoints of the issuer are cached. */
const MAX_AGE_MS = 10 * 60_000
/** How long cached endpoints are used further while the issuer is away. */
const EXTENSION_MS = 30_000

/** What must be kept between the start of a sign-in and its end. */
export interface SignInChecks {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

/** What the issuer returns for a sign-in or a refresh token. */
export interface IssuedTokens {
  /** The token for the API: the access token, or the ID token if the issuer has no other JWTs. */
  readonly token: string
  readonly refreshToken: string | undefined
  /** The claims of the ID token. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** The issuer has refused a code or a refresh token, so another one is needed. */
export class RefusedByIssuer extends Error {}

/** The identity provider at which people sign in, by the authorization code flow with PKCE. */
export class IdentityProvider {
  readonly #settings: SignInConfig
  #found: { readonly configuration: oidc.Configuration; until: number } | undefined
  #finding: Promise<oidc.Configuration> | undefined

  constructor(settings: SignInConfig) {
    this.#settings = settings
  }

  /** The values for a new sign-in, each with 256 random bits. */
  newChecks(): SignInChecks {
    return {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      codeVerifier: oidc.randomPKCECodeVerifier(),
    }
  }

  /** The page at which a person signs in. Throws Unavailable if the issuer is away. */
  async signInPage(redirectUri: string, checks: SignInChecks): Promise<URL> {
    const configuration = await this.#configuration()
    const { scopes, audience } = this.#settings
    return oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: scopes.join(' '),
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(checks.codeVerifier),
      code_challenge_method: 'S256',
      ...(audience !== undefined && { audience }),
    })
  }

  /**
   * Exchanges the code in the URL to which the issuer has sent the browser. Throws RefusedByIssuer
   * if the URL is not the issuer's response to these checks, or the issuer refuses the code;
   * Unavailable if the issuer is away.
   */
  async exchange(url: URL, checks: SignInChecks): Promise<IssuedTokens> {
    return await this.#request(
      async (configuration) =>
        await oidc.authorizationCodeGrant(configuration, url, {
          expectedState: checks.state,
          expectedNonce: checks.nonce,
          pkceCodeVerifier: checks.codeVerifier,
          idTokenExpected: true,
        }),
      isRefusedSignIn,
    )
  }

  /** Gets new tokens. Throws RefusedByIssuer if the refresh token has ended, or Unavailable. */
  async refresh(refreshToken: string): Promise<IssuedTokens> {
    return await this.#request(
      async (configuration) => await oidc.refreshTokenGrant(configuration, refreshToken),
      (error) => error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant',
    )
  }

  /** Ends a refresh token, and returns true, if the issuer offers that (RFC 7009). */
  async revoke(refreshToken: string | undefined): Promise<boolean> {
    if (refreshToken === undefined) return false
    try {
      const configuration = await this.#configuration()
      if (configuration.serverMetadata().revocation_endpoint === undefined) return false
      await oidc.tokenRevocation(configuration, refreshToken, { token_type_hint: 'refresh_token' })
      return true
    } catch {
      return false // the session has ended anyway
    }
  }

  async #request(
    send: (
      configuration: oidc.Configuration,
    ) => Promise<oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers>,
    isRefusal: (error: unknown) => boolean,
  ): Promise<IssuedTokens> {
    const configuration = await this.#configuration()
    const response = await send(configuration).catch((error: unknown) => {
      throw isRefusal(error) ? new RefusedByIssuer(reasonOf(error)) : issuerUnavailable(error)
    })
    const usesIdTokens = this.#settings.issuer.acceptsIdTokens === true
    return {
      token: (usesIdTokens && response.id_token) || response.access_token,
      refreshToken: response.refresh_token,
      claims: response.claims() ?? {},
    }
  }

  async #configuration(): Promise<oidc.Configuration> {
    if (this.#found !== undefined && performance.now() < this.#found.until)
      return this.#found.configuration
    // One request for all that wait.
    this.#finding ??= this.#find().finally(() => {
      this.#finding = undefined
    })
    return await this.#finding
  }

  async #find(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret, authentication } = this.#settings
    const { allowInsecureRequests } = oidc
    const isAllowed = issuer.allowsHttp === true || isSecure(issuer.issuer)
    const method = authentication === 'basic' ? oidc.ClientSecretBasic : oidc.ClientSecretPost
    try {
      const configuration = await oidc.discovery(
        new URL(issuer.issuer),
        clientId,
        undefined,
        clientSecret === undefined ? oidc.None() : method(clientSecret),
        { execute: isAllowed ? [allowInsecureRequests] : [], timeout: TIMEOUT_SECONDS },
      )
      this.#found = { configuration, until: performance.now() + MAX_AGE_MS }
      return configuration
    } catch (error) {
      if (this.#found === undefined) throw issuerUnavailable(error)
      this.#found.until = performance.now() + EXTENSION_MS
      return this.#found.configuration
    }
  }
}

/** Whether the response to a sign-in is wrong, and not the network or the settings. */
function isRefusedSignIn(error: unknown): boolean {
  if (error instanceof oidc.AuthorizationResponseError) return true
  if (error instanceof oidc.ResponseBodyError) return error.error === 'invalid_grant'
  return error instanceof oidc.ClientError && !TRANSPORT_CODES.has(error.code ?? '')
}

const TRANSPORT_CODES: ReadonlySet<string> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
])

/** For the log: what the issuer has said, without codes or tokens. */
function reasonOf(error: unknown): string {
  if (error instanceof oidc.AuthorizationResponseError) return error.error
  if (error instanceof oidc.ResponseBodyError) return error.error
  return error instanceof Error ? error.message : String(error)
}

function issuerUnavailable(cause: unknown): Unavailable {
  return new Unavailable(
    'sign_in_unavailable',
    'the identity provider is unreachable or does not respond as expected; retry later',
    { cause, retryAfterMs: RETRY_AFTER_MS },
  )
}
