import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'

import { Code, ConnectError } from '@connectrpc/connect'
import { Pool } from 'undici'

import { backoffMs } from '../../waiting.ts'
import { hostAndPort } from '../host-and-port.ts'

/** How long the addresses of a name are cached. */
const LOOKUP_TTL_MS = 5_000
const CONNECT_TIMEOUT_MS = 2_000
/** Maximum connections to a server; further calls wait for a free one. */
const MAX_CONNECTIONS = 1_024
/** Longest pause before an unreachable server is tried again. */
const MAX_REST_MS = 2_000

/** One server of a service. */
export class Endpoint implements Disposable {
  readonly pool: Pool
  #restsUntil = 0
  #failures = 0

  constructor(origin: string) {
    this.pool = new Pool(origin, {
      connections: MAX_CONNECTIONS,
      connectTimeout: CONNECT_TIMEOUT_MS,
      // Each call has its own deadline.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  get isResting(): boolean {
    return this.#restsUntil > Date.now()
  }

  /** Prefers other servers for a while: this one is unreachable or about to stop. */
  rest(): void {
    if (this.isResting) return
    this.#restsUntil = Date.now() + backoffMs(this.#failures, { mostMs: MAX_REST_MS })
    this.#failures += 1
  }

  /** Ends the rest: the server has responded. */
  wake(): void {
    this.#failures = 0
    this.#restsUntil = 0
  }

  /** Closes each connection when its call has ended. */
  [Symbol.dispose](): void {
    this.pool.close().catch(() => {})
  }
}

/**
 * The servers of a service, used round-robin. The host of a `host:port` is an IP address or a name.
 * A name, for example of a headless Service, is resolved every few seconds to all its addresses.
 */
export class Endpoints implements Disposable {
  readonly #targets: readonly Target[]
  readonly #hasNames: boolean
  #known = new Map<string, Endpoint>()
  #order: Endpoint[] = []
  #turn = 0
  #lookedUpAt = 0
  #lookup: Promise<void> | undefined
  #isDisposed = false

  constructor(addresses: readonly string[]) {
    this.#targets = addresses.map(parseAddress)
    this.#hasNames = this.#targets.some(({ host }) => isIP(host) === 0)
    if (!this.#hasNames) this.#replace(this.#targets)
  }

  /** The number of servers. */
  get size(): number {
    return this.#order.length
  }

  /**
   * Returns the next server. Rejects if no address is known and none is found within `timeoutMs`.
   */
  async next(timeoutMs: number): Promise<Endpoint> {
    if (this.#hasNames && (this.size === 0 || Date.now() - this.#lookedUpAt > LOOKUP_TTL_MS)) {
      this.#lookup ??= this.#lookUp().finally(() => (this.#lookup = undefined))
      // Known addresses are used meanwhile.
      if (this.size === 0) await within(timeoutMs, this.#lookup)
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
    const lookups = this.#targets.map(async ({ host, port }) =>
      (await lookup(host, { all: true })).map(({ address }) => ({ host: address, port })),
    )
    // A name that can't be resolved doesn't affect the others.
    const results = await Promise.allSettled(lookups)
    this.#lookedUpAt = Date.now()
    const found = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    if (found.length > 0) this.#replace(found)
    else throw new ConnectError('no address can be resolved', Code.Unavailable)
  }

  #replace(targets: readonly Target[]): void {
    if (this.#isDisposed) return
    const origins = targets.map(
      ({ host, port }) => `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`,
    )
    const known = new Map(
      origins.map((origin) => [origin, this.#known.get(origin) ?? new Endpoint(origin)]),
    )
    for (const [origin, endpoint] of this.#known) if (!known.has(origin)) endpoint[Symbol.dispose]()
    this.#known = known
    this.#order = [...known.values()]
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true
    for (const endpoint of this.#order) endpoint[Symbol.dispose]()
  }
}

async function within(timeoutMs: number, lookup: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new ConnectError('no address is known yet', Code.DeadlineExceeded)),
    timeoutMs,
  )
  try {
    await Promise.race([lookup, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

interface Target {
  /** A name or an IP address, without brackets. */
  readonly host: string
  readonly port: number
}

function parseAddress(address: string): Target {
  const { host, port } = hostAndPort(address)
  return { host: host.replace(/^\[|\]$/g, ''), port }
}
