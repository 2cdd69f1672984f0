import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'

import { Code, ConnectError } from '@connectrpc/connect'
import { Pool } from 'undici'

/** How long the addresses behind a name are believed. */
const LOOKUP_TTL_MS = 5_000
const CONNECT_TIMEOUT_MS = 2_000
/** Connections to one server; more calls wait for one of them to be free. */
const MAX_CONNECTIONS = 1_024
/** How long a server that can't be reached is spared: twice as long each time, up to the second. */
const FIRST_REST_MS = 100
const LONGEST_REST_MS = 2_000

/** One server of a service. */
export class Endpoint implements Disposable {
  readonly pool: Pool
  #restsUntil = 0
  #restMs = FIRST_REST_MS

  constructor(origin: string) {
    this.pool = new Pool(origin, {
      connections: MAX_CONNECTIONS,
      connectTimeout: CONNECT_TIMEOUT_MS,
      // Calls have deadlines of their own.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  get isResting(): boolean {
    return this.#restsUntil > Date.now()
  }

  /** Can't be reached: others come first for a while. */
  rest(): void {
    this.#restsUntil = Date.now() + this.#restMs
    this.#restMs = Math.min(2 * this.#restMs, LONGEST_REST_MS)
  }

  /** Has answered. */
  wake(): void {
    this.#restMs = FIRST_REST_MS
  }

  /** Closes the connections, each when its call has ended. */
  [Symbol.dispose](): void {
    void this.pool.close()
  }
}

/**
 * The servers of a service, in turn. Each `host:port` is an IP address or a name; a name (of a headless Service, say)
 * stands for all addresses that it resolves to, looked up again every few seconds.
 */
export class Endpoints implements Disposable {
  readonly #targets: readonly Target[]
  readonly #hasNames: boolean
  #known = new Map<string, Endpoint>()
  #order: Endpoint[] = []
  #turn = 0
  #lookedUpAt = 0
  #lookup: Promise<void> | undefined

  constructor(addresses: readonly string[]) {
    this.#targets = addresses.map(parseAddress)
    this.#hasNames = this.#targets.some(({ host }) => isIP(host) === 0)
    if (!this.#hasNames) this.#replace(this.#targets)
  }

  /** How many servers there are. */
  get size(): number {
    return this.#order.length
  }

  /** The server whose turn it is. Rejects with `unavailable` when no name can be resolved. */
  async next(): Promise<Endpoint> {
    if (this.#hasNames && (this.size === 0 || Date.now() - this.#lookedUpAt > LOOKUP_TTL_MS)) {
      this.#lookup ??= this.#lookUp().finally(() => (this.#lookup = undefined))
      // Who knows addresses goes on with them meanwhile.
      if (this.size === 0) await this.#lookup
      else this.#lookup.catch(() => {})
    }
    for (let tried = 0; tried < this.size; tried++) {
      const endpoint = this.#order[this.#turn++ % this.size]
      if (endpoint && !endpoint.isResting) return endpoint
    }
    const endpoint = this.#order[this.#turn++ % this.size]
    if (endpoint === undefined) throw new ConnectError('no address is known', Code.Unavailable)
    return endpoint
  }

  async #lookUp(): Promise<void> {
    try {
      const found = await Promise.all(
        this.#targets.map(async ({ host, port }) =>
          (await lookup(host, { all: true })).map(({ address }) => ({ host: address, port })),
        ),
      )
      this.#replace(found.flat())
    } catch (error) {
      throw new ConnectError('an address can not be resolved', Code.Unavailable, undefined, undefined, error)
    } finally {
      this.#lookedUpAt = Date.now()
    }
  }

  #replace(targets: readonly Target[]): void {
    const origins = targets.map(({ host, port }) => `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`)
    const known = new Map(origins.map((origin) => [origin, this.#known.get(origin) ?? new Endpoint(origin)]))
    for (const [origin, endpoint] of this.#known) if (!known.has(origin)) endpoint[Symbol.dispose]()
    this.#known = known
    this.#order = [...known.values()]
  }

  [Symbol.dispose](): void {
    for (const endpoint of this.#order) endpoint[Symbol.dispose]()
  }
}

interface Target {
  /** A name or an IP address, without brackets. */
  readonly host: string
  readonly port: string
}

function parseAddress(address: string): Target {
  const separator = address.lastIndexOf(':')
  return { host: address.slice(0, separator).replace(/^\[|\]$/g, ''), port: address.slice(separator + 1) }
}
