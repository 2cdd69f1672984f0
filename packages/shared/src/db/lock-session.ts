import type { Client } from 'pg'

import { Unavailable } from '../errors.ts'
import { mapDatabaseError } from './database-error.ts'

/**
 * With the query's own time-out below the server's keep-alive limit: a holder hears of a dead line
 * first.
 */
const HEARTBEAT_MS = 5_000

/** A lock that is held until it is disposed of, or until `signal` says that it was lost. */
export interface HeldLock extends AsyncDisposable {
  readonly signal: AbortSignal
}

interface Session {
  readonly client: Client
  /** One for each lock that is held or being asked for. */
  readonly holders: Set<AbortController>
  /** The end of the line of queries: a connection takes one at a time. */
  lastQuery: Promise<unknown>
  heartbeat: NodeJS.Timeout | undefined
  isLost: boolean
}

/**
 * Holds all advisory locks of a process on one connection of their own, however many there are.
 * Needs a direct connection: a pooler that hands out server connections per transaction can't keep
 * session locks.
 */
export class LockSession implements AsyncDisposable {
  readonly #open: () => Promise<Client>
  /**
   * The server lets a session take its own lock again, so what is taken or being asked for here is
   * kept apart here.
   */
  readonly #takenKeys = new Set<string>()
  #session: Promise<Session> | undefined
  #isClosed = false

  constructor(open: () => Promise<Client>) {
    this.#open = open
  }

  /**
   * The lock when it is free, else undefined. Rejects with `Unavailable` when the database can't be
   * asked.
   */
  async tryLock(key: string): Promise<HeldLock | undefined> {
    if (this.#isClosed) throw new Error('the database handle was closed')
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
      // A holder whose machine is gone must not keep its lock for the two hours of the system's
      // default.
      await client.query(
        `SELECT set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
                set_config('tcp_keepalives_count', '3', false)`,
      )
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
   * One query on the session; when it fails, what the server holds for it is unknown, so the
   * session ends.
   */
  async #ask(session: Session, text: string, key: string): Promise<boolean> {
    const query = session.lastQuery.then(() =>
      session.client.query<{ answer: boolean }>(text, [key]),
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
    const lost = new Unavailable('lock_lost', 'The connection that held a lock was lost.')
    for (const holder of session.holders) holder.abort(lost)
    session.holders.clear()
  }
}
