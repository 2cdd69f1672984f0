import { LRUCache } from 'lru-cache'

import type { UserCaller } from '../auth/caller.ts'
import type { TokenVerifier } from '../auth/token-verifier.ts'
import { Unauthenticated, Unavailable } from '../errors.ts'
import { FairQueue } from '../fairness/fair-queue.ts'
import { LoadingCache } from '../loading-cache.ts'
import { LookUpBudget } from './look-up-budget.ts'
import { hashMachineToken, isMachineToken, MACHINE_TOKEN_PREFIX } from './token-format.ts'

const MAX_CACHED_TOKENS = 10_000
/** How many tokens that were not seen before are looked up at the same time, and how many wait. */
const UNSEEN = { running: 8, waiting: 256 }
const RETRY_AFTER_MS = 1_000

export interface MachineTokenVerifierOptions {
  /**
   * Finds the machine that a token identifies, whose account is that of `machineToken`. Throws
   * Unauthenticated for an unknown token; Unavailable if it can't be found now.
   */
  readonly lookUp: (token: string) => Promise<MachineCaller>
  /** How long a verified token is cached. Rejections never are. */
  readonly cacheMs: number
  /** The clock, in milliseconds. */
  readonly now?: () => number
}

export type MachineCaller = UserCaller & Required<Pick<UserCaller, 'machineToken'>>

/**
 * Verifies machine tokens. Texts with a wrong form or checksum cost no lookup. Tokens that were
 * never valid here share a few lookups at a time, and a budget of failures, so that invented ones
 * delay neither the catalog nor those in use.
 */
export class MachineTokenVerifier implements TokenVerifier {
  readonly #lookUp: MachineTokenVerifierOptions['lookUp']
  readonly #verified: LoadingCache<MachineCaller>
  /** The hashes of tokens that were valid when they were last looked up. */
  readonly #seen = new LRUCache<string, true>({ max: MAX_CACHED_TOKENS })
  readonly #unseen = new FairQueue({
    running: boundsOf(UNSEEN.running),
    waiting: boundsOf(UNSEEN.waiting),
    refusal: tooMany,
  })
  readonly #failures: LookUpBudget

  constructor({ lookUp, cacheMs, now = Date.now }: MachineTokenVerifierOptions) {
    this.#lookUp = lookUp
    this.#failures = new LookUpBudget(now)
    this.#verified = new LoadingCache({
      maxEntries: MAX_CACHED_TOKENS,
      freshUntil: ({ expireTime }, startedAt) =>
        Math.min(expireTime.getTime(), startedAt + cacheMs),
      groupOf: ({ machineToken }) => machineToken.accountId,
      now,
    })
  }

  async verify(token: string): Promise<MachineCaller> {
    if (!isMachineToken(token)) {
      const cause = new Error('it begins like a machine token, but its checksum is wrong')
      throw new Unauthenticated('invalid_token', 'the access token is not valid', { cause })
    }
    const key = hashMachineToken(token).toString('base64')
    return (
      this.#verified.get(key) ?? (await this.#verified.load(key, () => this.#check(key, token)))
    )
  }

  /** Drops the cached tokens of an account, or all of them. */
  drop(accountId?: string): void {
    this.#verified.invalidate(accountId)
  }

  async #check(key: string, token: string): Promise<MachineCaller> {
    if (this.#seen.has(key)) return await this.#find(key, token)
    if (!this.#failures.hasRoom()) throw tooMany()
    using _place = await this.#unseen.wait({ user: '' }, new AbortController())
    return await this.#find(key, token)
  }

  async #find(key: string, token: string): Promise<MachineCaller> {
    try {
      const caller = await this.#lookUp(token)
      this.#seen.set(key, true)
      return caller
    } catch (error) {
      if (error instanceof Unauthenticated) {
        this.#seen.delete(key)
        this.#failures.count()
      }
      throw error
    }
  }
}

/** Verifies machine tokens with one verifier, and all other tokens with another one. */
export function withMachineTokens(
  others: TokenVerifier,
  machineTokens: TokenVerifier,
): TokenVerifier {
  return {
    verify: async (token) =>
      await (token.startsWith(MACHINE_TOKEN_PREFIX) ? machineTokens : others).verify(token),
  }
}

/** All of them count as one user, for whom a queue reserves a part of its total. */
function boundsOf(most: number) {
  return { total: 2 * most, perUser: most, perAccount: most }
}

function tooMany(): Unavailable {
  return new Unavailable(
    'token_checks_busy',
    'too many unknown access tokens are being checked; retry later',
    { retryAfterMs: RETRY_AFTER_MS },
  )
}
