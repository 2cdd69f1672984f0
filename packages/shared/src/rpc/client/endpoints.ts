import { isIP } from 'node:net'

import { Code, ConnectError } from '@connectrpc/connect'
import { Pool } from 'undici'

import { backoffMs } from '../../waiting.ts'
import { LifeCheck } from './life-check.ts'
import { hostOf, type ServerAddress, ServerAddresses } from './server-addresses.ts'
import { currentCa, type TrustedCa } from './trusted-ca.ts'

const CONNECT_TIMEOUT_MS = 2_000
/** Maximum connections to a server; further calls wait for a free one. */
const MAX_CONNECTIONS = 1_024
/** Longest pause before an unreachable server is tried again. */
const MAX_REST_MS = 2_000
/**
 * How long a server is avoided that closes connections after its responses. It is about to stop: a
 * call just when it closes its idle connections would be lost.
 */
const LEAVE_MS = 2_000

/** How to verify a server. */
interface EndpointTls {
  /** The authorities to trust, in PEM. */
  readonly ca: string
  /** The name in the certificate; undefined if it is the IP address. */
  readonly servername?: string
}

/** One server of a service. */
export class Endpoint implements Disposable {
  readonly #origin: string
  readonly #connect: NonNullable<Pool.Options['connect']>
  readonly #lifeCheck: LifeCheck
  #pool: Pool
  #isSilent = false
  #restsUntil = 0
  #leftUntil = 0
  #failures = 0

  constructor(origin: string, hasOthers: () => boolean, tls?: EndpointTls) {
    this.#origin = origin
    this.#connect = { timeout: CONNECT_TIMEOUT_MS, ...tls }
    this.#pool = this.#openPool()
    this.#lifeCheck = new LifeCheck(origin, this.#connect, {
      isInDoubt: () => this.#isSilent || (hasOthers() && this.#pool.stats.size > 0),
      responded: () => (this.#isSilent = false),
      silent: () => this.#breakCalls(),
    })
  }

  /** The connections for a call, which fails soon if the server no longer responds. */
  get pool(): Pool {
    this.#lifeCheck.start()
    return this.#pool
  }

  /** Whether the server has accepted calls and then not responded. */
  get isSilent(): boolean {
    return this.#isSilent
  }

  get isResting(): boolean {
    return this.#isSilent || Math.max(this.#restsUntil, this.#leftUntil) > Date.now()
  }

  /** Prefers other servers for a while: this one is about to stop. */
  leave(): void {
    this.#leftUntil = Date.now() + LEAVE_MS
  }

  /** Prefers other servers for a while: this one is unreachable. */
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

  #openPool(): Pool {
    return new Pool(this.#origin, {
      connections: MAX_CONNECTIONS,
      allowH2: false,
      connect: this.#connect,
      // Each call has its own deadline.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  #breakCalls(): void {
    this.#isSilent = true
    const silent = this.#pool
    this.#pool = this.#openPool()
    silent.destroy(new Error('the server does not respond')).catch(() => {})
  }

  /** Closes each connection when its call has ended. */
  [Symbol.dispose](): void {
    this.#lifeCheck[Symbol.dispose]()
    this.#pool.close().catch(() => {})
  }
}

/** The servers of a service, used round-robin. With `trustedCa` they are called by TLS. */
export class Endpoints implements Disposable {
  readonly #addresses: ServerAddresses
  readonly #trustedCa: TrustedCa | undefined
  #ca: string | undefined
  #called: readonly ServerAddress[] = []
  #known = new Map<string, Endpoint>()
  #order: Endpoint[] = []
  #turn = 0
  #isDisposed = false

  constructor(addresses: readonly string[], trustedCa?: TrustedCa) {
    this.#trustedCa = trustedCa
    this.#addresses = new ServerAddresses(addresses)
  }

  /** The number of servers. */
  get size(): number {
    return this.#order.length
  }

  /**
   * Returns the next server. Rejects if no address is known and none is found within `timeoutMs`,
   * or if there is no valid authority to trust.
   */
  async next(timeoutMs: number): Promise<Endpoint> {
    this.#trust(currentCa(this.#trustedCa))
    if (this.#order.every(({ isResting }) => isResting)) this.#addresses.doubt()
    const addresses = await this.#addresses.current(timeoutMs)
    if (addresses !== this.#called) this.#replace(addresses)
    for (let tried = 0; tried < this.size; tried++) {
      const endpoint = this.#order[this.#turn++ % this.size]
      if (endpoint && !endpoint.isResting) return endpoint
    }
    const endpoint = this.#order[this.#turn++ % this.size]
    if (endpoint === undefined)
      throw new ConnectError('no server address is known', Code.Unavailable)
    if (endpoint.isSilent) throw new ConnectError('no server responds', Code.Unavailable)
    return endpoint
  }

  /** Opens new connections if other authorities are to be trusted. */
  #trust(ca: string | undefined): void {
    if (ca === this.#ca) return
    this.#ca = ca
    this.#called = []
    for (const endpoint of this.#order) endpoint[Symbol.dispose]()
    this.#known.clear()
  }

  #replace(addresses: readonly ServerAddress[]): void {
    if (this.#isDisposed) return
    this.#called = addresses
    const known = new Map(
      addresses.map((address) => {
        const key = hostOf(address)
        return [key, this.#known.get(key) ?? this.#open(address)]
      }),
    )
    for (const [origin, endpoint] of this.#known) if (!known.has(origin)) endpoint[Symbol.dispose]()
    this.#known = known
    this.#order = [...known.values()]
  }

  #open(address: ServerAddress): Endpoint {
    const hasOthers = () => this.size > 1
    const ca = this.#ca
    if (ca === undefined) return new Endpoint(`http://${hostOf(address)}`, hasOthers)
    // Node rejects an IP address as the server's name, but checks it against the certificate.
    const { name } = address
    const tls = isIP(name) === 0 ? { ca, servername: name } : { ca }
    return new Endpoint(`https://${hostOf(address)}`, hasOthers, tls)
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true
    for (const endpoint of this.#order) endpoint[Symbol.dispose]()
  }
}
