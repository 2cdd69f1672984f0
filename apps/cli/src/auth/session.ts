import type { TokenRequest } from '@slipway/client'

import { whileLocked } from '../config/lock.ts'
import { CliError } from '../errors/cli-error.ts'
import { exitCodes } from '../errors/exit-code.ts'
import { subjectOf } from './token-claims.ts'
import type { StoredTokens, TokenStore } from './token-store.ts'

/** A token that expires this soon is replaced first. */
const MARGIN_MS = 30_000

/** The access token of a context, which is refreshed when it is about to expire. */
export class Session {
  readonly #store: TokenStore
  readonly #context: { readonly name: string; readonly url: string }
  #running: Promise<string> | undefined

  constructor(store: TokenStore, context: { readonly name: string; readonly url: string }) {
    this.#store = store
    this.#context = context
  }

  /** A token for the server. With `rejected`, another one than this, which the server rejected. */
  async token({ rejected }: TokenRequest): Promise<string> {
    this.#running ??= this.#token(rejected).finally(() => (this.#running = undefined))
    return await this.#running
  }

  async #token(rejected: string | undefined): Promise<string> {
    const stored = await this.#stored()
    if (isUsable(stored, rejected)) return stored.access_token
    // One of two processes refreshes: providers accept a refresh token only once.
    return await whileLocked(this.#store.lockPath, async () => {
      const latest = await this.#stored()
      if (isUsable(latest, rejected)) return latest.access_token
      const { refresh } = await import('./provider.ts')
      const renewed = await refresh(latest)
      if (renewed === undefined) throw this.#signIn('your sign-in has expired')
      const former = latest.subject ?? subjectOf(latest.access_token)
      if (former !== undefined && renewed.subject !== former) {
        await this.#store.delete(this.#context.name)
        throw this.#signIn('the identity provider returned the tokens of someone else')
      }
      await this.#store.set(this.#context.name, renewed)
      return renewed.access_token
    })
  }

  async #stored(): Promise<StoredTokens> {
    const stored = await this.#store.get(this.#context.name)
    if (stored === undefined) throw this.#signIn(`you are not signed in to ${this.#context.url}`)
    if (stored.url !== this.#context.url)
      throw this.#signIn(`the tokens of the context ${this.#context.name} are for ${stored.url}`)
    return stored
  }

  #signIn(message: string): CliError {
    return new CliError(message, {
      code: 'sign_in_required',
      why: this.#store.isKeyringSilent ? 'the keyring of this system does not respond' : undefined,
      next: `slipway login ${this.#context.url}`,
      exitCode: exitCodes.signIn,
    })
  }
}

function isUsable(tokens: StoredTokens, rejected: string | undefined): boolean {
  if (tokens.access_token === rejected) return false
  return tokens.expires_at === undefined || tokens.expires_at - Date.now() > MARGIN_MS
}
