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

/** How to verify a server. */
interface EndpointTls {
  /** The authorities to trust, in PEM. */
  readonly ca: string
  /** The name in the certificate; undefined if it is the IP address. */
  readonly servername?: string
}

/** One server of a service. */
export class Endpoint implements Disposable {
  readonly pool: Pool
  #restsUntil = 0
  #failures = 0

  constructor(origin: string, tls?: EndpointTls) {
    this.pool = new Pool(origin, {
      connections: MAX_CONNECTIONS,
      allowH2: false,
      connect: { timeout: CONNECT_TIMEOUT_MS, ...tls },
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
    this.#restsUntil = Date.now() + backoffMs(this.#failures, { maxMs: MAX_REST_MS })
    this.#failures += 1
  }

  /** Ends the rest period, because the server has responded. */
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
 * With `trustedCa` they are called by TLS.
 */
export class Endpoints implements Disposable {
  readonly #targets: readonly Target[]
  readonly #trustedCa: string | undefined
  readonly #hasNames: boolean
  #known = new Map<string, Endpoint>()
  #order: Endpoint[] = []
  #turn = 0
  #lookedUpAt = 0
  #lookup: Promise<void> | undefined
  #isDisposed = false

  constructor(addresses: readonly string[], trustedCa?: string) {
    this.#trustedCa = trustedCa
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
      // Known addresses are used in the meantime.
      if (this.size === 0) await within(timeoutMs, this.#lookup)
      else this.#lookup.catch(() => {})
    }
    for (let tried = 0; tried < this.size; tried++) {
      const endpoint = this.#order[this.#turn++ % this.size]
      if (endpoint && !endpoint.isResting) return endpoint
    }
    const endpoint = this.#order[this.#turn++ % this.size]
    if (endpoint === undefined)
      throw new ConnectError('no server address is known', Code.Unavailable)
    return endpoint
  }

  async #lookUp(): Promise<void> {
    const lookups = this.#targets.map(async ({ host, port, name }) =>
      (await lookup(host, { all: true })).map(({ address }) => ({ host: address, port, name })),
    )
    // A name that can't be resolved doesn't affect the others.
    const results = await Promise.allSettled(lookups)
    this.#lookedUpAt = Date.now()
    const found = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    if (found.length > 0) this.#replace(found)
    else throw new ConnectError('no server address can be resolved', Code.Unavailable)
  }

  #replace(targets: readonly Target[]): void {
    if (this.#isDisposed) return
    const known = new Map(
      targets.map((target) => {
        const key = hostOf(target)
        return [key, this.#known.get(key) ?? this.#open(target)]
      }),
    )
    for (const [origin, endpoint] of this.#known) if (!known.has(origin)) endpoint[Symbol.dispose]()
    this.#known = known
    this.#order = [...known.values()]
  }

  #open(target: Target): Endpoint {
    const ca = this.#trustedCa
    if (ca === undefined) return new Endpoint(`http://${hostOf(target)}`)
    // Node rejects an IP address as the server's name, but checks it against the certificate.
    const { name } = target
    const tls = isIP(name) === 0 ? { ca, servername: name } : { ca }
    return new Endpoint(`https://${hostOf(target)}`, tls)
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true
    for (const endpoint of this.#order) endpoint[Symbol.dispose]()
  }
}

async function within(timeoutMs: number, lookup: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new ConnectError('no server address is known yet', Code.DeadlineExceeded)),
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
  /** The host in the address as configured. */
  readonly name: string
}

function parseAddress(address: string): Target {
  const { host, port } = hostAndPort(address)
  const name = host.replace(/^\[|\]$/g, '')
  return { host: name, port, name }
}

function hostOf({ host, port }: Target): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}
