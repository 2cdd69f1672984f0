import type { Client } from 'pg'

import { Unavailable } from '../errors.ts'
import { mapDatabaseError } from './database-error.ts'
import { withinSeconds } from './response-timeout.ts'

/**
 * How often a session that holds locks is checked. Together with the query's timeout it is 10 s and
 * below the server's keep-alive limit of 25 s, so a holder notices a dead connection before the
 * server releases its locks, even if its event loop is busy for several seconds meanwhile.
 */
const HEARTBEAT_MS = 5_000

/** The timeout of a query. Time during which the event loop is busy doesn't count. */
const QUERY_SECONDS = 5

/** A lock that is held until it is disposed of, or lost, when `signal` fires. */
export interface HeldLock extends AsyncDisposable {
  readonly signal: AbortSignal
}

interface Session {
  readonly client: Client
  /** One entry for each lock that is held or requested. */
  readonly holders: Set<AbortController>
  /** The last query in the queue: a connection executes one at a time. */
  lastQuery: Promise<unknown>
  heartbeat: NodeJS.Timeout | undefined
  isLost: boolean
}

/**
 * Holds all advisory locks of a process on one dedicated connection. It must be a direct one: a
 * pooler that assigns server connections per transaction can't keep session locks.
 */
export class LockSession implements AsyncDisposable {
  readonly #open: () => Promise<Client>
  /** Keys that are held or requested here: the server lets a session take its own lock twice. */
  readonly #takenKeys = new Set<string>()
  #session: Promise<Session> | undefined
  #isClosed = false

  constructor(open: () => Promise<Client>) {
    this.#open = open
  }

  /**
   * Takes a lock; returns undefined if another session holds it. Rejects with `Unavailable` if the
   * database fails.
   */
  async tryLock(key: string): Promise<HeldLock | undefined> {
    if (this.#isClosed) throw new Error('the database handle is closed')
    if (this.#takenKeys.has(key)) return undefined
    this.#takenKeys.add(key)
    let isLocked = false
    try {
      const session = await (this.#session ??= this.#connect())
      const holder = new AbortController()
      session.holders.add(holder)
      isLocked = await this.#ask(
        session,
        'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS answer',
        key,
      )
      if (isLocked) {
        return {
          signal: holder.signal,
          [Symbol.asyncDispose]: () => this.#release(session, holder, key),
        }
      }
      session.holders.delete(holder)
      return undefined
    } finally {
      if (!isLocked) this.#takenKeys.delete(key)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    const session = await this.#session?.catch(() => undefined)
    await session?.client.end()
  }

  async #connect(): Promise<Session> {
    try {
      const client = await this.#open()
      const session: Session = {
        client,
        holders: new Set(),
        lastQuery: Promise.resolve(),
        heartbeat: undefined,
        isLost: false,
      }
      client.once('end', () => this.#lose(session))
      client.once('error', () => this.#lose(session))
      // With the system's default, the locks of a holder whose machine has failed would be kept for
      // two hours.
      const keepAlive = client.query(
        `SELECT set_config('tcp_keepalives_idle', '10', false),
                set_config('tcp_keepalives_interval', '5', false),
                set_config('tcp_keepalives_count', '3', false)`,
      )
      await withinSeconds(keepAlive, QUERY_SECONDS)
      session.heartbeat = setInterval(() => void this.#beat(session), HEARTBEAT_MS).unref()
      return session
    } catch (error) {
      this.#session = undefined
      throw mapDatabaseError(error)
    }
  }

  async #beat(session: Session): Promise<void> {
    if (session.holders.size > 0)
      await this.#ask(session, 'SELECT $1::text IS NOT NULL AS answer', '').catch(() => {})
  }

  async #release(session: Session, holder: AbortController, key: string): Promise<void> {
    const isHeld = session.holders.delete(holder)
    try {
      if (isHeld)
        await this.#ask(
          session,
          'SELECT pg_advisory_unlock(hashtextextended($1, 0)) AS answer',
          key,
        )
    } catch {
      // The session is gone, and the lock with it.
    } finally {
      this.#takenKeys.delete(key)
    }
  }

  /**
   * Sends a query. If it fails, it is unknown which locks the server holds, so the session ends.
   */
  async #ask(session: Session, text: string, key: string): Promise<boolean> {
    const query = session.lastQuery.then(() =>
      withinSeconds(session.client.query<{ answer: boolean }>(text, [key]), QUERY_SECONDS),
    )
    session.lastQuery = query.catch(() => {})
    try {
      const { rows } = await query
      return rows[0]?.answer ?? false
    } catch (error) {
      this.#lose(session)
      void session.client.end().catch(() => {})
      throw mapDatabaseError(error)
    }
  }

  #lose(session: Session): void {
    if (session.isLost) return
    session.isLost = true
    clearInterval(session.heartbeat)
    this.#session = undefined
    const lost = new Unavailable('lock_lost', 'the connection that held a lock was lost')
    for (const holder of session.holders) holder.abort(lost)
    session.holders.clear()
  }
}
