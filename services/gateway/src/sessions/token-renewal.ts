import { verifiedClaims, type TokenVerifier, type UserCaller } from '@slipway/shared/auth'
import { Unauthenticated, Unavailable } from '@slipway/shared/errors'
import type { Logger } from '@slipway/shared/logger'
import { sleepOrAbort } from '@slipway/shared/waiting'

import { RefusedByIssuer, type IdentityProvider } from './identity-provider.ts'
import { contentOf, type SessionContent } from './session-content.ts'
import type { SessionCookie, SessionKeys } from './session-keys.ts'
import { sessionEnded, type SessionStore, type StoredSession } from './session-store.ts'

/** How long a request waits for the replica that refreshes the token. */
const PATIENCE_MS = 10_000
const POLL_MS = 200
/** How often each step after a refresh is tried: the previous refresh token may be useless. */
const ATTEMPTS = 4
const RETRY_MS = 500

/** What the renewal of tokens needs. */
export interface TokenRenewalOptions {
  readonly store: SessionStore
  readonly keys: SessionKeys
  readonly provider: IdentityProvider
  readonly tokenVerifier: TokenVerifier
  readonly logger: Logger
}

/** A session with its content. */
export interface OpenSession {
  readonly stored: StoredSession
  readonly content: SessionContent
}

/**
 * Refreshes the tokens of sessions before they expire. Only one request at one replica does it, by
 * the lease of the session: an issuer that rotates refresh tokens accepts each only once, and may
 * end everything when one is used twice. The others go on with the previous token while it is
 * valid, and otherwise wait.
 */
export class TokenRenewal {
  readonly #options: TokenRenewalOptions

  constructor(options: TokenRenewalOptions) {
    this.#options = options
  }

  /** Reads the content of a session. Throws Unauthenticated if no key opens it. */
  open(cookie: SessionCookie, stored: StoredSession): OpenSession {
    const text = this.#options.keys.open(stored.sealed, SESSION_PURPOSE, cookie.secret)
    if (text === undefined) throw sessionEnded(new Error('no key opens the content'))
    return { stored, content: JSON.parse(text) as SessionContent }
  }

  /**
   * Returns the session with a token that is valid. Throws Unauthenticated if the issuer has ended
   * it, and Unavailable if the issuer is away and the token has expired.
   */
  async renewed(cookie: SessionCookie, found: StoredSession): Promise<OpenSession> {
    const patience = AbortSignal.timeout(PATIENCE_MS)
    let session = this.open(cookie, found)
    for (;;) {
      const { stored, content } = session
      if (Date.now() < content.refreshAt) return session
      if (content.refreshToken === undefined) {
        if (isValid(content)) return session
        throw await this.#ended(cookie, 'the token has expired, and there is no refresh token')
      }
      const lease = await this.#options.store.lease(cookie.hash, stored.version)
      if (lease.leaseId !== undefined) return await this.#refresh(cookie, session, lease.leaseId)
      if (lease.session.version !== stored.version) session = this.open(cookie, lease.session)
      else if (isValid(content)) return session
      else await sleepOrAbort(POLL_MS, patience).catch(giveUp)
    }
  }

  async #refresh(
    cookie: SessionCookie,
    session: OpenSession,
    leaseId: string,
  ): Promise<OpenSession> {
    const { provider, store } = this.#options
    const { content } = session
    try {
      const issued = await provider.refresh(content.refreshToken ?? '')
      const caller = await withRetries(async () => await this.verify(issued.token))
      if (verifiedClaims(content.token).sub !== caller.subject) {
        await provider.revoke(issued.refreshToken)
        throw new RefusedByIssuer('the issuer has returned the tokens of someone else')
      }
      const renewed = contentOf(issued, caller, content)
      const sealed = this.seal(cookie, renewed)
      const stored = await withRetries(async () => await store.update(cookie.hash, leaseId, sealed))
      return { stored, content: renewed }
    } catch (error) {
      if (error instanceof RefusedByIssuer || error instanceof Unauthenticated)
        throw await this.#ended(cookie, error.message)
      await store.update(cookie.hash, leaseId).catch(() => {})
      if (error instanceof Unavailable && isValid(content)) return session
      throw error
    }
  }

  /** The person of a token. Throws Unauthenticated if it isn't one. */
  async verify(token: string): Promise<UserCaller> {
    const caller = await this.#options.tokenVerifier.verify(token)
    if (caller.kind === 'user' && caller.machineToken === undefined) return caller
    throw new Unauthenticated('invalid_token', 'the access token is not that of a person')
  }

  /** Ends a refresh token at its issuer. */
  async revoke(refreshToken: string | undefined): Promise<void> {
    if (refreshToken === undefined) return
    const isRevoked = await this.#options.provider.revoke(refreshToken)
    if (!isRevoked) this.#options.logger.info({}, 'refresh_token_not_revoked')
  }

  /** Encrypts the content of a session. */
  seal(cookie: SessionCookie, content: SessionContent): Buffer {
    return this.#options.keys.seal(JSON.stringify(content), SESSION_PURPOSE, cookie.secret)
  }

  async #ended(cookie: SessionCookie, reason: string): Promise<Unauthenticated> {
    this.#options.logger.info({ reason }, 'session_ended')
    await this.#options.store.end(cookie.hash)
    return sessionEnded(new Error(reason))
  }
}

const SESSION_PURPOSE = 'session'

/** Calls again while a service is unavailable. */
async function withRetries<Result>(call: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof Unavailable) || attempt === ATTEMPTS) throw error
      await sleepOrAbort(RETRY_MS, undefined)
    }
  }
}

function isValid({ expiresAt }: SessionContent): boolean {
  return Date.now() < expiresAt
}

function giveUp(cause: unknown): never {
  const message = 'the token of the session is being refreshed; retry later'
  throw new Unavailable('session_busy', message, { cause, retryAfterMs: 1_000 })
}
