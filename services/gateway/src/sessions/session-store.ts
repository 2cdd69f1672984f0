import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { CallOptions, Client } from '@connectrpc/connect'
import type { BrowserSession } from '@slipway/proto/slipway/catalog/v1/browser_session'
import type { BrowserSessionService } from '@slipway/proto/slipway/catalog/v1/browser_session_service'
import type { ServiceTokenSource } from '@slipway/shared/auth'
import { NotFound, Unauthenticated, Unavailable } from '@slipway/shared/errors'
import { callAsService, toDomainError } from '@slipway/shared/rpc'

const TIMEOUT_MS = 5_000

/** A session as the catalog stores it. */
export interface StoredSession {
  readonly id: string
  readonly userId: string
  readonly version: number
  readonly sealed: Buffer
  readonly expireTime: Date
  readonly idleExpireTime: Date
}

/** The lease of a session: its holder may replace its content. */
export interface SessionLease {
  readonly session: StoredSession
  /** Undefined if someone else has it, or the session has another version. */
  readonly leaseId: string | undefined
}

/**
 * The catalog's sessions, called with the gateway's own token. Throws Unauthenticated for a session
 * that doesn't exist or has ended.
 */
export class SessionStore {
  readonly #client: Client<typeof BrowserSessionService>
  readonly #token: ServiceTokenSource

  constructor(client: Client<typeof BrowserSessionService>, token: ServiceTokenSource) {
    this.#client = client
    this.#token = token
  }

  /** Creates a session for the user of an access token. */
  async create(userToken: string, hash: Buffer, sealed: Buffer): Promise<StoredSession> {
    const request = { userToken, hash, sealed }
    const { session } = await this.#call((options) =>
      this.#client.createBrowserSession(request, options),
    )
    return storedSession(session)
  }

  /** Finds a session, which then counts as used, unless it is only checked. */
  async get(hash: Buffer, { checkOnly = false } = {}): Promise<StoredSession> {
    const { session } = await this.#call((options) =>
      this.#client.getBrowserSession({ hash, checkOnly }, options),
    )
    return storedSession(session)
  }

  /** Asks for the lease of a session with a version. */
  async lease(hash: Buffer, version: number): Promise<SessionLease> {
    const { session, leaseId } = await this.#call((options) =>
      this.#client.leaseBrowserSession({ hash, version }, options),
    )
    return { session: storedSession(session), leaseId: leaseId === '' ? undefined : leaseId }
  }

  /** Replaces the content of a session by its lease; without content it only ends the lease. */
  async update(
    hash: Buffer,
    leaseId: string,
    sealed: Buffer = Buffer.alloc(0),
  ): Promise<StoredSession> {
    const { session } = await this.#call((options) =>
      this.#client.updateBrowserSession({ hash, leaseId, sealed }, options),
    )
    return storedSession(session)
  }

  /** Ends a session, or all of its user; returns the user's id if it existed. */
  async end(hash: Buffer, everywhere = false): Promise<string | undefined> {
    const { userId } = await this.#call((options) =>
      this.#client.endBrowserSession({ hash, everywhere }, options),
    )
    return userId === '' ? undefined : userId
  }

  async #call<Response>(call: (options: CallOptions) => Promise<Response>): Promise<Response> {
    const options = await callAsService(this.#token, TIMEOUT_MS)
    return await call(options).catch((error: unknown) => {
      const converted = toDomainError(error)
      if (converted instanceof NotFound) throw sessionEnded()
      if (converted instanceof Unavailable) throw converted
      // Otherwise the gateway's own rights would look like those of the user.
      throw new Error('the catalog has refused a call for a session', { cause: converted })
    })
  }
}

/** The error for a session that doesn't exist or has ended. */
export function sessionEnded(cause?: unknown): Unauthenticated {
  return new Unauthenticated('session_ended', 'the session has ended; sign in again', { cause })
}

function storedSession(session: BrowserSession | undefined): StoredSession {
  const { id = '', userId = '', version = 0, sealed, expireTime, idleExpireTime } = session ?? {}
  return {
    id,
    userId,
    version,
    sealed: Buffer.from(sealed ?? []),
    expireTime: expireTime === undefined ? new Date(0) : timestampDate(expireTime),
    idleExpireTime: idleExpireTime === undefined ? new Date(0) : timestampDate(idleExpireTime),
  }
}
