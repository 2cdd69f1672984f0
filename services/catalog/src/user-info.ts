import {
  NO_PROFILE,
  profileOf,
  isSecure,
  userKey,
  verifiedClaims,
  type Issuer,
  type IssuerSetting,
  type UserCaller,
  type UserProfile,
} from '@slipway/shared/auth'
import { LoadingCache } from '@slipway/shared/loading-cache'
import type { Logger } from '@slipway/shared/logger'
import { createCounter } from '@slipway/shared/telemetry'
import * as oidc from 'openid-client'

const TIMEOUT_SECONDS = 2
/** Beyond this, calls continue without: they have a turn at the database meanwhile. */
const MAX_RUNNING = 2
const MAX_RESPONSE_BYTES = 64 * 1024
const MAX_CACHED_USERS = 10_000
const ENDPOINT_MS = 10 * 60_000
const FRESH_MS = 10 * 60_000
/** After a failure, and for a user whom the issuer says nothing about. */
const RETRY_MS = 60_000

const countFailure = createCounter(
  'slipway.auth.userinfo_failures',
  'Requests to the userinfo endpoint of an issuer that failed',
)

interface Known {
  readonly profile: UserProfile
  readonly freshMs: number
}

/**
 * What access tokens without names or an e-mail address don't say about their users. Asks the
 * userinfo endpoint in the discovery document of the token's issuer, with the token itself, if the
 * issuer's entry allows that. A failure leaves the profile as it is.
 */
export class UserInfo {
  readonly #issuers: readonly Issuer[]
  readonly #logger: Logger
  readonly #failing = new Set<string>()
  readonly #configurations = new LoadingCache<oidc.Configuration>({
    maxEntries: 100,
    freshUntil: (_configuration, startedAt) => startedAt + ENDPOINT_MS,
  })
  readonly #users = new LoadingCache<Known>({
    maxEntries: MAX_CACHED_USERS,
    freshUntil: ({ freshMs }, startedAt) => startedAt + freshMs,
  })
  #running = 0

  constructor(issuers: readonly IssuerSetting[], logger: Logger) {
    this.#issuers = issuers
      .filter((each): each is Issuer => 'issuer' in each)
      .filter(({ readsUserInfo }) => readsUserInfo === true)
    this.#logger = logger
  }

  /** Returns the caller with what their issuer adds to their profile. */
  async complete(caller: UserCaller): Promise<UserCaller> {
    const issuer = isComplete(caller.profile) ? undefined : this.#issuerOf(caller.token)
    if (issuer === undefined) return caller
    const key = userKey(caller)
    const known =
      this.#users.get(key) ?? (await this.#users.load(key, () => this.#read(issuer, caller)))
    return { ...caller, profile: merged(caller.profile, known.profile) }
  }

  /** The entry by which the token was accepted, if it allows this. */
  #issuerOf(token: string): Issuer | undefined {
    if (this.#issuers.length === 0) return undefined
    const { iss, aud = [] } = verifiedClaims(token)
    return this.#issuers.find(
      ({ issuer, audience }) =>
        issuer === iss && (audience === undefined || [aud].flat().includes(audience)),
    )
  }

  async #read(issuer: Issuer, { token, subject }: UserCaller): Promise<Known> {
    if (this.#running >= MAX_RUNNING) return { profile: NO_PROFILE, freshMs: 0 }
    this.#running += 1
    try {
      const name = issuer.issuer
      const configuration =
        this.#configurations.get(name) ??
        (await this.#configurations.load(name, () => discover(issuer)))
      // Throws if `sub` is another.
      const claims = await oidc.fetchUserInfo(configuration, token, subjectThere(token, subject))
      this.#failing.delete(name)
      return { profile: profileOf(claims), freshMs: FRESH_MS }
    } catch (error) {
      this.#reportFailure(issuer.issuer, error)
      return { profile: NO_PROFILE, freshMs: RETRY_MS }
    } finally {
      this.#running -= 1
    }
  }

  /** Logs the first failure until a request succeeds. */
  #reportFailure(issuer: string, error: unknown): void {
    countFailure(1, { issuer })
    if (this.#failing.has(issuer)) return
    this.#failing.add(issuer)
    this.#logger.warn({ issuer, reason: reasonOf(error), remedy: REMEDY }, 'userinfo_failed')
  }
}

/** Okta's tokens have the login as `sub`, and as `uid` what userinfo returns as `sub`. */
function subjectThere(token: string, subject: string): string {
  const { cid, uid } = verifiedClaims(token)
  return typeof cid === 'string' && typeof uid === 'string' ? uid : subject
}

const REMEDY =
  'let the issuer accept the access tokens at its userinfo endpoint (scope openid), let it add ' +
  'the claims to access tokens, or remove userinfo from its entry in AUTH_ISSUERS'

/** The messages of an error and of its causes, which have no part of the token. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const status = error instanceof oidc.WWWAuthenticateChallengeError ? ` (${error.status})` : ''
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${error.message}${status}${cause}`
}

async function discover({ issuer, allowsHttp }: Issuer): Promise<oidc.Configuration> {
  const isAllowed = allowsHttp === true || isSecure(issuer)
  const configuration = await oidc.discovery(new URL(issuer), 'slipway', undefined, oidc.None(), {
    execute: isAllowed ? [oidc.allowInsecureRequests] : [],
    timeout: TIMEOUT_SECONDS,
    [oidc.customFetch]: boundedFetch,
  })
  const { userinfo_endpoint: endpoint } = configuration.serverMetadata()
  if (allowsHttp !== true && endpoint !== undefined && !isSecure(endpoint))
    throw new Error('the userinfo_endpoint of the discovery document is not an https URL')
  return configuration
}

/** Follows no redirect, which could lead the token elsewhere, and reads no endless response. */
async function boundedFetch(url: string, options: oidc.CustomFetchOptions): Promise<Response> {
  const response = await fetch(url, { ...options, body: options.body ?? null, redirect: 'error' })
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_RESPONSE_BYTES)
      throw new Error(`the response is longer than ${MAX_RESPONSE_BYTES} bytes`)
    chunks.push(chunk)
  }
  return new Response(Buffer.concat(chunks), response)
}

function isComplete({ email, preferredUsername, name, givenName }: UserProfile): boolean {
  return email !== undefined && (preferredUsername ?? name ?? givenName) !== undefined
}

/** What the token says comes first. */
function merged(ofToken: UserProfile, added: UserProfile): UserProfile {
  return {
    preferredUsername: ofToken.preferredUsername ?? added.preferredUsername,
    email: ofToken.email ?? added.email,
    givenName: ofToken.givenName ?? added.givenName,
    familyName: ofToken.familyName ?? added.familyName,
    name: ofToken.name ?? added.name,
  }
}
