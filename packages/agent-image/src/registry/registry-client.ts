import { parseRegistryRealms, type RegistryRealms } from '@slipway/agent-spec'
import { isRedirect } from '@slipway/registry'

import { Authorization, type Scope } from './authorization.ts'
import { findCredentials } from './credentials.ts'
import type { Credentials } from './login.ts'
import { networkError } from './network-error.ts'
import { refusal } from './refusal.ts'
import { RegistryError } from './registry-error.ts'
import { withRetries } from './retries.ts'

/** The time for an answer to a request without a large body. */
const TIMEOUT_MS = 60_000

const MAX_REDIRECTS = 5
/** Other token endpoints that get the logins of registries. */
const REALMS_SETTING = 'SLIPWAY_REGISTRY_REALMS'

/** How to reach registries. */
export interface RegistryAccess {
  /** Allows plain HTTP for hosts other than this machine. */
  readonly insecure?: boolean | undefined
  /** Ends what is running with its reason. */
  readonly signal?: AbortSignal | undefined
  /** Where logins and settings are looked for. Default: `process.env`. */
  readonly environment?: NodeJS.ProcessEnv | undefined
  /** Receives what is not an error, but may be wrong. */
  readonly onWarning?: ((line: string) => void) | undefined
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
    this.#authorization = new Authorization(origin, {
      credentials: () => this.#login(),
      realms: realmsOf(this.#environment),
      onWarning: access.onWarning,
      signal: access.signal,
    })
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
    const scopes: readonly Scope[] = [
      `repository:${this.repository}:${this.#rights}`,
      ...(call.alsoReads === undefined ? [] : [`repository:${call.alsoReads}:pull` as const]),
    ]
    // An upload may be at another host, which must not see the login.
    let sent = url.origin === this.origin ? await this.#authorization.header(scopes) : undefined
    let { response, isOwn } = await this.#fetch(call, url, sent)
    if (
      response.status === 401 &&
      isOwn &&
      (await this.#authorization.accept(response, scopes, sent))
    ) {
      const next = await this.#authorization.header(scopes)
      if (next !== undefined) {
        await response.body?.cancel()
        sent = next
        ;({ response, isOwn } = await this.#fetch(call, url, sent))
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

  /** Follows redirects, and sends `authorization` and takes challenges only from the registry. */
  async #fetch(
    call: Call,
    first: URL,
    authorization: string | undefined,
  ): Promise<{ readonly response: Response; readonly isOwn: boolean }> {
    let url = first
    for (let redirects = 0; ; redirects += 1) {
      const isOwn = url.origin === this.origin
      const response = await this.#fetchOnce(call, url, isOwn ? authorization : undefined)
      const next = redirectOf(call, url, response)
      if (next === undefined) return { response, isOwn }
      await response.body?.cancel()
      if (redirects === MAX_REDIRECTS)
        throw new RegistryError(`${call.action}: the registry redirects too often`, {
          problem: 'rejected',
          registry: new URL(this.origin).host,
        })
      url = next
    }
  }

  async #fetchOnce(call: Call, url: URL, authorization: string | undefined): Promise<Response> {
    const signals = [call.signal ?? AbortSignal.timeout(TIMEOUT_MS), this.signal]
    const body = await call.body?.()
    try {
      return await fetch(url, {
        method: call.method,
        headers: { ...call.headers, ...(authorization !== undefined && { authorization }) },
        redirect: 'manual',
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

/** Where a request must be sent again; undefined if the response is the answer to it. */
function redirectOf({ method }: Call, url: URL, { status, headers }: Response): URL | undefined {
  const isRead = method === 'GET' || method === 'HEAD'
  // After the other statuses, clients of HTTP send a GET.
  if (!(isRead ? isRedirect(status) : status === 307 || status === 308)) return undefined
  const next = URL.parse(headers.get('location') ?? '', url.href)
  return next !== null && /^https?:$/.test(next.protocol) ? next : undefined
}

function realmsOf(environment: NodeJS.ProcessEnv): RegistryRealms | undefined {
  const entries = (environment[REALMS_SETTING] ?? '').split(',').map((entry) => entry.trim())
  const given = entries.filter((entry) => entry !== '')
  if (given.length === 0) return undefined
  try {
    return parseRegistryRealms(given.filter((entry) => entry !== 'none'))
  } catch (error) {
    throw new Error(`${REALMS_SETTING}: ${(error as Error).message}`, { cause: error })
  }
}
