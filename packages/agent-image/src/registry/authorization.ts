import { isLocalRegistry, isRealmOf, type RegistryRealms } from '@slipway/agent-spec'
import {
  basicAuthorization,
  parseChallenge,
  readToken,
  tokenQuery,
  type Challenge,
} from '@slipway/registry'

import type { Credentials } from './login.ts'
import { RegistryError } from './registry-error.ts'
import { networkError } from './network-error.ts'

/** What an access token allows, as `repository:team/memo:pull,push`. */
export type Scope = `repository:${string}:${'pull' | 'pull,push'}`

/** The life of an access token whose answer doesn't say, and the margin before its end. */
const DEFAULT_LIFE_SECONDS = 60
const MARGIN_SECONDS = 10
const TIMEOUT_MS = 60_000

interface Token {
  readonly value: string
  readonly endsAtMs: number
}

/** What the sign-in at a registry needs. */
export interface SignIn {
  /** Called when the registry first asks for them. */
  readonly credentials: () => Promise<Credentials | undefined>
  /** Other token endpoints that get them; undefined allows all that the registry names. */
  readonly realms: RegistryRealms | undefined
  readonly onWarning: ((line: string) => void) | undefined
  readonly signal: AbortSignal | undefined
}

/** Keeps what a registry wants in `Authorization`: nothing, a password, or access tokens. */
export class Authorization {
  readonly #origin: string
  readonly #signIn: SignIn
  readonly #warned = new Set<string>()
  readonly #tokens = new Map<string, Promise<Token>>()
  #challenge: Challenge | undefined

  constructor(origin: string, signIn: SignIn) {
    this.#origin = origin
    this.#signIn = signIn
  }

  /** Returns the header for a request that needs these scopes; undefined for none. */
  async header(scopes: readonly Scope[]): Promise<string | undefined> {
    if (this.#challenge === undefined) return undefined
    const credentials = await this.#signIn.credentials()
    if (credentials?.kind === 'registry-token') return `Bearer ${credentials.token}`
    if (this.#challenge.scheme === 'basic')
      return credentials?.kind === 'password' ? basicAuthorization(credentials) : undefined
    const key = scopes.toSorted().join(' ')
    const known = await this.#tokens.get(key)
    if (known && Date.now() < known.endsAtMs) return `Bearer ${known.value}`
    // Requests at the same time share a token.
    const token = this.#fetchToken(this.#challenge.parameters, scopes, credentials)
    this.#tokens.set(key, token)
    try {
      return `Bearer ${(await token).value}`
    } catch (error) {
      this.#tokens.delete(key)
      throw error
    }
  }

  /** Takes the challenge of a refused request. Returns false if another try makes no sense. */
  async accept(
    response: Response,
    scopes: readonly Scope[],
    sent: string | undefined,
  ): Promise<boolean> {
    const challenge = parseChallenge(response.headers.get('www-authenticate'))
    if (challenge === undefined) return false
    const isNew = sent === undefined || this.#challenge?.scheme !== challenge.scheme
    this.#challenge = challenge
    if (isNew || challenge.scheme === 'basic') return isNew
    const key = scopes.toSorted().join(' ')
    const token = await this.#tokens.get(key)
    if (token !== undefined && `Bearer ${token.value}` === sent) this.#tokens.delete(key)
    return true
  }

  async #fetchToken(
    { realm = '', service = '' }: Readonly<Record<string, string>>,
    scopes: readonly Scope[],
    credentials: Credentials | undefined,
  ): Promise<Token> {
    const url = this.#realm(realm, credentials)
    const action = `sign-in at ${url.host}`
    const init: RequestInit = {
      signal: AbortSignal.any([
        AbortSignal.timeout(TIMEOUT_MS),
        ...(this.#signIn.signal ? [this.#signIn.signal] : []),
      ]),
    }
    if (credentials?.kind === 'identity-token') {
      init.method = 'POST'
      // `fetch` would send the token in the body to another host.
      init.redirect = 'error'
      init.body = new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: credentials.token,
        client_id: 'slipway',
        service,
        scope: scopes.join(' '),
      })
    } else {
      tokenQuery(url, service, scopes)
      if (credentials?.kind === 'password')
        init.headers = { authorization: basicAuthorization(credentials) }
    }
    const sentAtMs = Date.now()
    let response: Response
    let text: string
    try {
      response = await fetch(url, init)
      text = await response.text()
    } catch (cause) {
      this.#signIn.signal?.throwIfAborted()
      throw networkError(action, url, cause)
    }
    if (!response.ok) throw this.#refusal(action, response, text, credentials)
    return this.#tokenIn(text, sentAtMs, action)
  }

  get #host(): string {
    return new URL(this.#origin).host
  }

  // A password for an encrypted registry must not leave this machine in plain text.
  #realm(realm: string, credentials: Credentials | undefined): URL {
    const url = URL.parse(realm)
    const isSafe =
      url?.protocol === 'https:' || (url?.protocol === 'http:' && this.#origin.startsWith('http:'))
    const message = `${this.#host} asks to sign in at ${JSON.stringify(realm)}`
    const refused = { problem: 'rejected', registry: this.#host } as const
    if (!url || !isSafe)
      throw new RegistryError(message, { ...refused, remedy: 'that must be an https:// URL' })
    const { realms, onWarning } = this.#signIn
    if (credentials === undefined || isRealmOf(this.#origin, url, realms)) return url
    const remedy = `add ${this.#host}=${url.origin} to SLIPWAY_REGISTRY_REALMS`
    // Without TLS, only the way to the registry itself is known to be safe.
    const isPlainElsewhere =
      url.protocol === 'http:' &&
      url.hostname !== new URL(this.#origin).hostname &&
      !isLocalRegistry(url.host)
    if (realms !== undefined || isPlainElsewhere)
      throw new RegistryError(message, { ...refused, remedy: `if that is right, ${remedy}` })
    if (!this.#warned.has(url.origin)) {
      this.#warned.add(url.origin)
      onWarning?.(
        `the login of ${this.#host} is sent to ${url.origin}, as the registry asks; ` +
          `if that is right, ${remedy}, and only listed ones will get logins`,
      )
    }
    return url
  }

  #tokenIn(text: string, sentAtMs: number, action: string): Token {
    const found = readToken(parsed(text))
    if (found === undefined) {
      const message = `${action}: the answer has no access token`
      throw new RegistryError(message, { problem: 'rejected', registry: this.#host })
    }
    const { token: value, lifeSeconds = DEFAULT_LIFE_SECONDS } = found
    const seconds = Math.max(lifeSeconds - MARGIN_SECONDS, 1)
    return { value, endsAtMs: sentAtMs + seconds * 1000 }
  }

  #refusal(
    action: string,
    { status }: Response,
    text: string,
    credentials: Credentials | undefined,
  ): RegistryError {
    if (status === 400 || status === 401 || status === 403) {
      const remedy = loginRemedy(this.#host, credentials)
      const message = `${action}: the credentials were refused (${status})`
      return new RegistryError(message, {
        problem: 'unauthorized',
        registry: this.#host,
        remedy,
        status,
      })
    }
    return new RegistryError(`${action}: the answer was ${status} ${text.slice(0, 200)}`.trim(), {
      problem: status === 429 ? 'limit' : 'rejected',
      registry: this.#host,
      status,
      isTransient: status === 429 || status >= 500,
    })
  }
}

/** Returns what to do about missing or refused credentials. */
export function loginRemedy(host: string, credentials: Credentials | undefined): string {
  const login = `docker login ${host}`
  if (credentials === undefined)
    return `there are no credentials for it; run \`${login}\` (or podman login)`
  const owner = credentials.kind === 'password' ? ` of ${credentials.user}` : ''
  return `the credentials${owner} are from ${credentials.source}; run \`${login}\` again`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
