import * as oidc from 'openid-client'

import { isSameIssuer, originOf } from '../config/known-sign-in.ts'
import { isLocal } from '../config/server-url.ts'
import { CliError } from '../errors/cli-error.ts'
import type { SignInMetadata } from './discovery.ts'
import { describeFailure } from './network-failure.ts'
import { subjectOf } from './token-claims.ts'
import type { StoredTokens } from './token-store.ts'

/** What a person needs to approve a sign-in in a browser. */
export interface DeviceCode {
  readonly code: string
  readonly page: string
  /** The page with the code filled in, if the provider offers it. */
  readonly pageWithCode: string | undefined
}

/** What a sign-in calls. An error that they throw ends it. */
export interface DeviceLoginSteps {
  /** Gets the origins of the provider's endpoints before the provider is asked for a code. */
  readonly onProvider: (origins: readonly string[]) => Promise<void>
  /** Gets the code that the person has to enter, and the origin of its page with the others. */
  readonly onCode: (code: DeviceCode, origins: readonly string[]) => Promise<void>
}

/**
 * Signs in with the device flow (https://www.rfc-editor.org/rfc/rfc8628). Calls each step once, and
 * waits until the person has approved or refused.
 */
export async function deviceLogin(
  url: string,
  { issuer, clientId, scope, audience, resource, usesIdTokens }: SignInMetadata,
  { onProvider, onCode }: DeviceLoginSteps,
  signal: AbortSignal,
): Promise<StoredTokens> {
  return await explained(issuer, async () => {
    try {
      const config = await provider(issuer, clientId, signal)
      const { device_authorization_endpoint: device = '', token_endpoint: token = '' } =
        config.serverMetadata()
      const origins = [...new Set([issuer, device, token].map(originOf))]
      await onProvider(origins)
      const target = resource === undefined ? {} : { resource }
      const response = await oidc.initiateDeviceAuthorization(config, {
        scope,
        ...(audience !== undefined && { audience }),
        ...target,
      })
      const { verification_uri: page, verification_uri_complete: pageWithCode } = response
      const pages = [page, pageWithCode ?? page].map(originOf)
      const code = { code: response.user_code, page, pageWithCode }
      await onCode(code, [...new Set([...origins, ...pages])])
      const tokens = await oidc.pollDeviceAuthorizationGrant(config, response, target, { signal })
      const common = { url, issuer, client_id: clientId, uses_id_tokens: usesIdTokens }
      return stored(tokens, { ...common, ...target })
    } finally {
      // The error of the library doesn't say that it was aborted.
      signal.throwIfAborted()
    }
  })
}

/** Gets new tokens with the refresh token. Undefined if the provider has ended the session. */
export async function refresh(tokens: StoredTokens): Promise<StoredTokens | undefined> {
  const { issuer, client_id, refresh_token, resource } = tokens
  if (refresh_token === undefined) return undefined
  return await explained(issuer, async () => {
    try {
      const config = await provider(issuer, client_id)
      const target = resource === undefined ? {} : { resource }
      const renewed = await oidc.refreshTokenGrant(config, refresh_token, target)
      return stored(renewed, { ...tokens, refresh_token })
    } catch (error) {
      if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant')
        return undefined
      throw error
    }
  })
}

/** The provider. A clock of this machine that is wrong doesn't make its tokens invalid. */
async function provider(
  issuer: string,
  clientId: string,
  interruption?: AbortSignal,
): Promise<oidc.Configuration> {
  let skewSeconds = 0
  const customFetch: oidc.CustomFetch = async (url, { signal, ...init }) => {
    const signals = [signal, interruption].filter((each) => each !== undefined)
    const response = await fetch(url, { ...init, signal: AbortSignal.any(signals) } as RequestInit)
    skewSeconds = skewOf(response.headers.get('date'))
    return response
  }
  const isInsecure = isLocal(issuer)
  const execute = isInsecure ? [oidc.allowInsecureRequests] : []
  const options = { execute, [oidc.customFetch]: customFetch }
  const found = await oidc.discovery(new URL(issuer), clientId, undefined, oidc.None(), options)
  const { issuer: own } = found.serverMetadata()
  // The library doesn't compare them for some providers, and for the address of their metadata.
  if (!isSameIssuer(own, issuer))
    throw new CliError(`the identity provider at ${issuer} calls itself ${own}`, {
      code: 'other_issuer',
      why: 'a server must not hide whose tokens it gets',
      next: `ask the operator of the server to name the issuer ${own} in AUTH_ISSUERS`,
      exitCode: 4,
    })
  const metadata = { [oidc.clockSkew]: skewSeconds }
  const config = new oidc.Configuration(found.serverMetadata(), clientId, metadata, oidc.None())
  config[oidc.customFetch] = customFetch
  if (isInsecure) oidc.allowInsecureRequests(config)
  return config
}

/** By how many seconds a server's clock is ahead of this machine's. */
function skewOf(date: string | null): number {
  const seconds = Math.round((Date.parse(date ?? '') - Date.now()) / 1000)
  return Number.isNaN(seconds) ? 0 : seconds
}

function stored(
  response: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
  former: Omit<StoredTokens, 'access_token' | 'expires_at'>,
): StoredTokens {
  const claims = response.claims()
  const lifetime = response.expiresIn()
  const expiresAt = former.uses_id_tokens
    ? claims && claims.exp * 1000
    : lifetime !== undefined && Date.now() + lifetime * 1000
  const token = (former.uses_id_tokens && response.id_token) || response.access_token
  const subject = subjectOf(token)
  return {
    ...former,
    ...(subject !== undefined && { subject }),
    access_token: token,
    ...(expiresAt && { expires_at: expiresAt }),
    ...(response.refresh_token !== undefined && { refresh_token: response.refresh_token }),
  }
}

const REFUSALS: Readonly<Record<string, readonly [message: string, next: string]>> = {
  access_denied: ['the sign-in was refused', 'slipway login'],
  expired_token: ['the code has expired', 'slipway login'],
  unauthorized_client: [
    'the identity provider does not let the command line sign in',
    'ask the operator to allow the device flow for its client',
  ],
  invalid_client: [
    'the identity provider does not know the client of the command line',
    'ask the operator to check the client id',
  ],
}

async function explained<Result>(issuer: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CliError || (error as Error).name === 'AbortError') throw error
    if (error instanceof oidc.ResponseBodyError) {
      const [message, next] = REFUSALS[error.error] ?? [
        `the identity provider returned ${error.error}`,
        undefined,
      ]
      const why = error.error_description
      throw new CliError(message, { code: error.error, why, next, exitCode: 4, cause: error })
    }
    throw new CliError(`can't use the identity provider ${issuer}`, {
      code: 'provider_unusable',
      why: describeFailure(error),
      next: 'slipway doctor',
      exitCode: 4,
      cause: error,
    })
  }
}

/** Ends the session at the provider. Returns whether the provider has done that. */
export async function revoke({ issuer, client_id, refresh_token }: StoredTokens): Promise<boolean> {
  if (refresh_token === undefined) return false
  try {
    await oidc.tokenRevocation(await provider(issuer, client_id), refresh_token)
    return true
  } catch {
    return false // not every provider can, and it may be away
  }
}
