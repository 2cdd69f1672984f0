import { Authorization, type Scope } from './authorization.ts'
import { findCredentials } from './credentials.ts'
import type { Credentials } from './login.ts'
import { networkError } from './network-error.ts'
import { refusal } from './refusal.ts'
import { withRetries } from './retries.ts'

/** The time for an answer to a request without a large body. */
const TIMEOUT_MS = 60_000

/** How to reach registries. */
export interface RegistryAccess {
  /** Allows plain HTTP for hosts other than this machine. */
  readonly insecure?: boolean | undefined
  /** Ends what is running with its reason. */
  readonly signal?: AbortSignal | undefined
  /** Where logins are looked for. Default: `process.env`. */
  readonly environment?: NodeJS.ProcessEnv | undefined
}

/** A request to a registry. */
export interface Call {
  /** For errors: "push of memo:1". */
  readonly action: string
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to the repository, as `blobs/uploads/`, or an absolute URL. */
  readonly path: string | URL
  readonly expected: readonly number[]
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: () => Promise<NonNullable<RequestInit['body']>>
  /** Another repository to read from. */
  readonly alsoReads?: string
  /** Ends a request that may take long; by default it has a minute. */
  readonly signal?: AbortSignal
  /** Default: true. False if the caller must start from an earlier request. */
  readonly retries?: boolean
  /** Leaves the body to the caller if the status is expected. */
  readonly keepsBody?: boolean
}

/** A client of one repository of a registry. Signs in when the registry asks for it. */
export class RepositoryClient {
  readonly origin: string
  readonly repository: string
  readonly signal: AbortSignal | undefined
  readonly #rights: 'pull' | 'pull,push'
  readonly #authorization: Authorization
  readonly #environment: NodeJS.ProcessEnv
  #credentials: Promise<Credentials | undefined> | undefined

  constructor(
    origin: string,
    repository: string,
    rights: 'pull' | 'pull,push',
    access: RegistryAccess = {},
  ) {
    this.origin = origin
    this.repository = repository
    this.signal = access.signal
    this.#rights = rights
    this.#environment = access.environment ?? process.env
    this.#authorization = new Authorization(origin, () => this.#login(), access.signal)
  }

  /** Returns the URL of a path of the repository. */
  url(path: string | URL): URL {
    return new URL(path, `${this.origin}/v2/${this.repository}/`)
  }

  /** Sends a request. Throws RegistryError unless the status is an expected one. */
  async request(call: Call): Promise<Response> {
    if (call.retries === false) return await this.#send(call)
    return await withRetries(() => this.#send(call), this.signal)
  }

  async #send(call: Call): Promise<Response> {
    const url = this.url(call.path)
    // An upload may be at another host, which must not see the login.
    const isOwn = url.origin === this.origin
    const scopes: readonly Scope[] = [
      `repository:${this.repository}:${this.#rights}`,
      ...(call.alsoReads === undefined ? [] : [`repository:${call.alsoReads}:pull` as const]),
    ]
    let sent = isOwn ? await this.#authorization.header(scopes) : undefined
    let response = await this.#fetch(call, url, sent)
    if (
      response.status === 401 &&
      isOwn &&
      (await this.#authorization.accept(response, scopes, sent))
    ) {
      const next = await this.#authorization.header(scopes)
      if (next !== undefined) {
        await response.body?.cancel()
        sent = next
        response = await this.#fetch(call, url, sent)
      }
    }
    if (call.expected.includes(response.status)) {
      // An unread body keeps its connection busy.
      if (call.keepsBody !== true) await response.body?.cancel()
      return response
    }
    const text = call.method === 'HEAD' ? '' : await response.text().catch(() => '')
    const credentials =
      response.status === 401 || response.status === 403 ? this.#login() : undefined
    const { action } = call
    const { host } = new URL(this.origin)
    const refused = { action, host, repository: this.repository, credentials: await credentials }
    throw refusal(refused, response, text)
  }

  async #fetch(call: Call, url: URL, authorization: string | undefined): Promise<Response> {
    const signals = [call.signal ?? AbortSignal.timeout(TIMEOUT_MS), this.signal]
    const body = await call.body?.()
    try {
      return await fetch(url, {
        method: call.method,
        headers: { ...call.headers, ...(authorization !== undefined && { authorization }) },
        signal: AbortSignal.any(signals.filter((each) => each !== undefined)),
        ...(body !== undefined && { body }),
        ...(body instanceof ReadableStream && { duplex: 'half' }),
      } as RequestInit)
    } catch (cause) {
      this.signal?.throwIfAborted()
      throw networkError(call.action, url, cause)
    }
  }

  #login(): Promise<Credentials | undefined> {
    const { host } = new URL(this.origin)
    this.#credentials ??= findCredentials(host, this.repository, this.#environment, this.signal)
    return this.#credentials
  }
}
