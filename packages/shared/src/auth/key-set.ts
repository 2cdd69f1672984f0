import { isDeepStrictEqual } from 'node:util'

import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'

import { Unavailable } from '../errors.ts'
import { isSecure, type Issuer } from './issuers.ts'

const FETCH_TIMEOUT_MS = 5_000
/** Keys older than this are fetched again in the background when they are next used. */
const MAX_AGE_MS = 10 * 60_000
/**
 * The minimum time between two fetches, so that tokens with unknown keys can't flood the issuer.
 */
const COOL_DOWN_MS = 30_000
/** The same limit before the first successful fetch. */
const FIRST_COOL_DOWN_MS = 1_000

/**
 * The public keys of one issuer. Fetches them when they are first needed, when they are old, and at
 * most once per cool-down when a token refers to an unknown key. Fetched keys stay valid while the
 * issuer is unreachable.
 */
export class IssuerKeySet {
  readonly #issuer: Issuer
  readonly #now: () => number
  readonly #onChange: () => void
  #published: unknown
  #keys: JWTVerifyGetKey | undefined
  #fetchedAt = Number.NEGATIVE_INFINITY
  #triedAt = Number.NEGATIVE_INFINITY
  #fetching: Promise<void> | undefined

  /** `onChange` is called when a fetch returns other keys than the one before. */
  constructor(issuer: Issuer, now: () => number, onChange: () => void) {
    this.#issuer = issuer
    this.#now = now
    this.#onChange = onChange
  }

  /**
   * Finds the key that a token refers to; for `jwtVerify`. Throws Unavailable if no keys have been
   * fetched yet and the issuer is unreachable.
   */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    if (this.#keys === undefined) await this.#refresh(FIRST_COOL_DOWN_MS)
    else if (this.#now() - this.#fetchedAt > MAX_AGE_MS)
      void this.#refresh(COOL_DOWN_MS).catch(() => {})
    try {
      return await this.#require()(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      const before = this.#fetchedAt
      await this.#refresh(COOL_DOWN_MS).catch(() => {})
      if (this.#fetchedAt === before) throw error
      return await this.#require()(header, token)
    }
  }

  #require(): JWTVerifyGetKey {
    if (this.#keys === undefined)
      throw new Unavailable('issuer_unavailable', 'the token issuer is unreachable; retry later')
    return this.#keys
  }

  /**
   * Fetches the keys unless the last attempt was less than `coolDownMs` ago. Joins a running fetch.
   */
  async #refresh(coolDownMs: number): Promise<void> {
    if (this.#fetching === undefined) {
      if (this.#now() - this.#triedAt < coolDownMs) return
      this.#triedAt = this.#now()
      this.#fetching = this.#fetch().finally(() => {
        this.#fetching = undefined
      })
    }
    await this.#fetching
  }

  async #fetch(): Promise<void> {
    try {
      const published = await this.#readKeys()
      this.#keys = createLocalJWKSet(published as JSONWebKeySet)
      this.#fetchedAt = this.#now()
      const before = this.#published
      this.#published = published
      if (before !== undefined && !isDeepStrictEqual(published, before)) this.#onChange()
    } catch (cause) {
      throw new Unavailable('issuer_unavailable', 'the token issuer is unreachable; retry later', {
        cause,
      })
    }
  }

  async #readKeys(): Promise<unknown> {
    const { readKeys, jwksUri } = this.#issuer
    return readKeys ? await readKeys() : await fetchJson(jwksUri ?? (await this.#discover()))
  }

  /** https://openid.net/specs/openid-connect-discovery-1_0.html */
  async #discover(): Promise<string> {
    const base = this.#issuer.issuer.replace(/\/$/, '')
    const document = (await fetchJson(`${base}/.well-known/openid-configuration`)) as Record<
      string,
      unknown
    >
    if (document['issuer'] !== this.#issuer.issuer)
      throw new Error('the discovery document has a different issuer')
    if (typeof document['jwks_uri'] !== 'string')
      throw new Error('the discovery document has no jwks_uri')
    if (this.#issuer.allowsHttp !== true && !isSecure(document['jwks_uri']))
      throw new Error('the jwks_uri of the discovery document is not an https URL')
    return document['jwks_uri']
  }
}

async function fetchJson(url: string): Promise<unknown> {
  const response = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(`${url} returned ${response.status}`)
  return await response.json()
}
