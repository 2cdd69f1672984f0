import { Code, ConnectError } from '@connectrpc/connect'
import type { UserCaller } from '@slipway/shared/auth'
import { Unauthenticated } from '@slipway/shared/errors'
import { LoadingCache } from '@slipway/shared/loading-cache'
import { sleep } from '@slipway/shared/waiting'

import type { IssuedTokens } from './identity-provider.ts'
import { contentOf } from './session-content.ts'
import type { SessionCookie, SessionKeys } from './session-keys.ts'
import type { SessionStore, StoredSession } from './session-store.ts'
import type { OpenSession, TokenRenewal } from './token-renewal.ts'

const MAX_CACHED = 10_000
/** The memory for sessions. One has at most 64 KiB of tokens, encrypted and decrypted. */
const MAX_CACHED_BYTES = 64 * 1024 * 1024
const OTHER_BYTES = 2 * 1024
/** A session that is ended elsewhere is refused after at most this time. */
const CACHE_MS = 5_000

/** What the sessions of browsers need. */
export interface SessionsOptions {
  readonly keys: SessionKeys
  readonly store: SessionStore
  readonly renewal: TokenRenewal
}

/** The sessions of browsers. One that is in use costs a call of the catalog every few seconds. */
export class Sessions {
  readonly #options: SessionsOptions
  readonly #open = new LoadingCache<OpenSession>({
    maxEntries: MAX_CACHED,
    memory: { maxBytes: MAX_CACHED_BYTES, bytesOf },
    freshUntil: ({ stored, content }, startedAt) =>
      Math.min(
        startedAt + CACHE_MS,
        stored.expireTime.getTime(),
        // Another replica may be refreshing a token that is due.
        content.refreshAt > Date.now() ? content.refreshAt : content.expiresAt,
      ),
    groupOf: ({ stored }) => stored.userId,
    now: Date.now,
  })

  constructor(options: SessionsOptions) {
    this.#options = options
  }

  /** Reads the cookie of a session; undefined if it can't be one. */
  readCookie(text: string): SessionCookie | undefined {
    return this.#options.keys.readCookie(text)
  }

  /**
   * The session of a cookie, with a valid token. Throws Unauthenticated if it has ended;
   * Unavailable if that can't be found out now, or its token can't be refreshed.
   */
  async find(cookie: SessionCookie): Promise<OpenSession> {
    const key = keyOf(cookie)
    return (
      this.#open.get(key) ??
      (await this.#open.load(key, async () => {
        const { store, renewal } = this.#options
        return await renewal.renewed(cookie, await store.get(cookie.hash))
      }))
    )
  }

  /**
   * A signal that fires a few seconds after the session of a cookie has ended, for a response that
   * takes long. `closed` fires when the response ends.
   */
  endOf(cookie: SessionCookie, closed: AbortSignal): AbortSignal {
    const ended = new AbortController()
    const watch = async (): Promise<void> => {
      for (;;) {
        await sleep(CACHE_MS, closed)
        if (closed.aborted) return
        try {
          // An open page doesn't count as a use: the session has an idle limit.
          if (this.#open.get(keyOf(cookie)) === undefined)
            await this.#options.store.get(cookie.hash, { checkOnly: true })
        } catch (error) {
          // While that can't be found out, the token of the stream limits it.
          if (!(error instanceof Unauthenticated)) continue
          ended.abort(new ConnectError('the session has ended', Code.Unauthenticated))
          return
        }
      }
    }
    void watch()
    return ended.signal
  }

  /** The person to whom tokens were issued. Throws Unauthenticated if they aren't accepted. */
  async personOf(issued: IssuedTokens): Promise<UserCaller> {
    return await this.#options.renewal.verify(issued.token)
  }

  /** Creates a session of a person, with a new cookie. */
  async create(
    issued: IssuedTokens,
    person: UserCaller,
  ): Promise<{ readonly cookie: SessionCookie; readonly stored: StoredSession }> {
    const { keys, renewal, store } = this.#options
    const content = contentOf(issued, person)
    const cookie = keys.newCookie()
    const stored = await store.create(issued.token, cookie.hash, renewal.seal(cookie, content))
    return { cookie, stored }
  }

  /**
   * Ends a session, or all of its user, and the refresh token of this one at its issuer: only its
   * cookie opens it. Returns whether it existed.
   */
  async end(cookie: SessionCookie, everywhere = false): Promise<boolean> {
    const { store, renewal } = this.#options
    const refreshToken = await this.#refreshTokenOf(cookie)
    const userId = await store.end(cookie.hash, everywhere)
    if (userId === undefined) return false
    this.drop(userId)
    await renewal.revoke(refreshToken)
    return true
  }

  /** Undefined if the session has none, or has ended. */
  async #refreshTokenOf(cookie: SessionCookie): Promise<string | undefined> {
    const { store, renewal } = this.#options
    try {
      const stored = await store.get(cookie.hash, { checkOnly: true })
      return renewal.open(cookie, stored).content.refreshToken
    } catch {
      return undefined // the session ends anyway
    }
  }

  /** Drops the cached sessions of a user, or all. */
  drop(userId?: string): void {
    this.#open.invalidate(userId)
  }
}

function bytesOf({ stored, content: { token, refreshToken = '' } }: OpenSession): number {
  return OTHER_BYTES + stored.sealed.length + token.length + refreshToken.length
}

function keyOf({ hash }: SessionCookie): string {
  return hash.toString('base64')
}
