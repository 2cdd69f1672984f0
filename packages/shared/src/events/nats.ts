import { once } from 'node:events'

import { credsAuthenticator, type NatsConnection } from '@nats-io/nats-core'
import { connect, type NodeConnectionOptions } from '@nats-io/transport-node'

import type { Logger } from '../logging/logger.ts'
import { reportInvalidSetting } from '../process/invalid-settings.ts'
import { backoffMs, orAbort, sleep, sleepOrAbort } from '../waiting.ts'
import { NatsFiles, WAITING } from './nats-files.ts'
import { serversOf, STREAM_MAX_BYTES, type NatsServers } from './nats-servers.ts'
import { reportSharedLogin } from './shared-login.ts'
import { ensureStreams, type StreamSettings } from './streams.ts'

/**
 * How long to wait before recreating a stream that was deleted during a session. The server frees
 * its name and notifies the consumers before it removes the files. A stream created in between
 * would lose its files and never accept an event.
 */
const DELETION_MS = 3_000

export interface NatsOptions extends NatsServers {
  /** Shown in the server's list of connections. */
  readonly name: string
  readonly logger: Logger
}

/** A period in which the connection is up and the streams exist; `signal` fires when it ends. */
export interface NatsSession {
  readonly connection: NatsConnection
  /** Differs from the last session's if the event stream was lost in between. */
  readonly streamId: string
  readonly signal: AbortSignal
}

/**
 * A connection that is established, and re-established, in the background until it is disposed of.
 */
export interface Nats extends AsyncDisposable {
  /** Whether there is a session. Without one, events are delayed, not lost. */
  readonly isReady: boolean
  /** The current session, or the next one. */
  session(signal: AbortSignal): Promise<NatsSession>
  /**
   * Checks the streams when a failure suggests that they are missing. Ends the session if they had
   * to be created again.
   */
  recheck(session: NatsSession): Promise<void>
}

/**
 * Starts to connect and returns immediately, so that a service can start and write while NATS is
 * down.
 */
export function connectNats(options: NatsOptions): Nats {
  return new NatsLink(options)
}

interface OpenSession extends NatsSession {
  end(): void
}

class NatsLink implements Nats {
  readonly #options: NatsOptions
  readonly #files: NatsFiles
  readonly #closing = new AbortController()
  readonly #running: Promise<void>
  #next = Promise.withResolvers<NatsSession>()
  #current: OpenSession | undefined
  #connection: NatsConnection | undefined

  constructor(options: NatsOptions) {
    this.#options = options
    this.#files = new NatsFiles(options, options.logger)
    if (options.urlProblem === undefined) {
      reportSharedLogin(options.url, options.logger)
      this.#running = this.#run()
    } else this.#running = this.#wait(options.urlProblem)
  }

  get isReady(): boolean {
    return this.#current !== undefined
  }

  get #streams(): StreamSettings {
    const { streamReplicas = 1, streamMaxBytes = STREAM_MAX_BYTES, logger } = this.#options
    return { replicas: streamReplicas, maxBytes: streamMaxBytes, logger }
  }

  async session(signal: AbortSignal): Promise<NatsSession> {
    return this.#current ?? (await orAbort(this.#next.promise, signal))
  }

  async recheck(session: NatsSession): Promise<void> {
    if (session !== this.#current) return
    const { connection, signal } = session
    const deleted = () => sleepOrAbort(DELETION_MS, signal)
    const streamId = await ensureStreams(connection, this.#streams, deleted)
    if (session !== this.#current || streamId === session.streamId) return
    this.#endSession()
    this.#beginSession(connection, streamId)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    this.#endSession()
    await this.#connection?.close()
    await this.#running
    this.#files[Symbol.dispose]()
  }

  /** A Secret with the URL can change while services run, so a wrong one doesn't keep one down. */
  async #wait(problem: string): Promise<void> {
    using _report = reportInvalidSetting(this.#options.logger, {
      setting: 'NATS_URL',
      problem,
      in_effect: WAITING,
      remedy: 'correct the variable, and restart the service',
    })
    await once(this.#closing.signal, 'abort')
  }

  async #run(): Promise<void> {
    const { logger } = this.#options
    for (let failures = 0; !this.#closing.signal.aborted; failures += 1) {
      try {
        this.#connection = await connect(connectionOptions(this.#options, this.#files))
        failures = 0
        if (this.#closing.signal.aborted) await this.#connection.close()
        else await this.#follow(this.#connection)
      } catch (error) {
        if (failures === 0) logger.warn({ err: error }, 'nats_unreachable')
      }
      await sleep(backoffMs(failures, { maxMs: 1_000 }), this.#closing.signal)
    }
  }

  /** Opens a session whenever the connection is up, until it is closed for good. */
  async #follow(connection: NatsConnection): Promise<void> {
    const { logger } = this.#options
    const statuses = connection.status()
    let up = new AbortController()
    let preparing = this.#prepare(connection, up.signal)
    for await (const status of statuses) {
      if (status.type === 'disconnect') {
        logger.warn({ server: status.server }, 'nats_disconnected')
        up.abort()
        this.#endSession()
      } else if (status.type === 'reconnect') {
        up.abort()
        up = new AbortController()
        preparing = this.#prepare(connection, up.signal)
      } else if (status.type === 'error') {
        logger.warn({ err: status.error }, 'nats_error')
      }
    }
    up.abort()
    this.#endSession()
    await preparing
  }

  async #prepare(connection: NatsConnection, signal: AbortSignal): Promise<void> {
    const { logger } = this.#options
    for (let failures = 0; !signal.aborted && !connection.isClosed(); failures += 1) {
      try {
        const streamId = await ensureStreams(connection, this.#streams)
        if (signal.aborted) return
        logger.info({ server: connection.getServer() }, 'nats_ready')
        this.#beginSession(connection, streamId)
        return
      } catch (error) {
        // A server that has just started responds before its JetStream is ready.
        if (failures === 3) logger.warn({ err: error }, 'nats_streams_unavailable')
        await sleep(backoffMs(failures, { maxMs: 2_000 }), signal)
      }
    }
  }

  #beginSession(connection: NatsConnection, streamId: string): void {
    const ended = new AbortController()
    this.#current = { connection, streamId, signal: ended.signal, end: () => ended.abort() }
    this.#next.resolve(this.#current)
    this.#next = Promise.withResolvers()
  }

  #endSession(): void {
    const ended = this.#current
    this.#current = undefined
    ended?.end()
  }
}

function connectionOptions({ url, name }: NatsOptions, files: NatsFiles): NodeConnectionOptions {
  const { trustedCa, credentials } = files
  const servers = serversOf(url)
  const { username, password } = servers[0] ?? new URL(url)
  return {
    servers: servers.map((server) => `${server.protocol}//${server.host}`),
    name,
    // Without it the client would use plaintext if the server allows that.
    ...(usesTls(servers, trustedCa) && { tls: trustedCa === undefined ? {} : { ca: trustedCa } }),
    // Read for each connection of the client: the file may have been renewed.
    ...(credentials && {
      authenticator: (nonce?: string) =>
        credsAuthenticator(new TextEncoder().encode(files.credentials))(nonce),
    }),
    ...(username && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    timeout: 5_000,
    // Capturing a stack trace for each publish costs more than the publish.
    noAsyncTraces: true,
    maxReconnectAttempts: -1,
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 5_000,
    maxPingOut: 2,
  }
}

function usesTls(servers: readonly URL[], trustedCa: string | undefined): boolean {
  return trustedCa !== undefined || servers.some(({ protocol }) => protocol === 'tls:')
}
