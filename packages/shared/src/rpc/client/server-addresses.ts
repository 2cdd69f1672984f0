import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import { Code, ConnectError } from '@connectrpc/connect'

import { hostAndPort } from '../host-and-port.ts'

/** After this time the addresses of a name are looked up again, and used in the meantime. */
const FRESH_MS = 2_000
/** After this time, they are used only if the name can't be resolved soon. */
const STALE_MS = 15_000
const SOON_MS = 1_000
/** The shortest time between two lookups. */
const PAUSE_MS = 100

/** Where a server listens. */
export interface ServerAddress {
  /** An IP address, without brackets. */
  readonly ip: string
  readonly port: number
  /** The host as configured, which the server's certificate names. */
  readonly name: string
}

/**
 * Where the servers of a service listen. The host of a configured `host:port` is an IP address or a
 * name. A name, for example of a headless Service, stands for all its addresses, and is resolved
 * again while it is used, every two seconds or when no server can be reached.
 */
export class ServerAddresses {
  readonly #configured: readonly ServerAddress[]
  readonly #hasNames: boolean
  #known: readonly ServerAddress[] | undefined
  #lookedUpAt = 0
  #isInDoubt = false
  #lookup: Promise<void> | undefined

  constructor(addresses: readonly string[]) {
    this.#configured = addresses.map(parseAddress)
    this.#hasNames = this.#configured.some(({ ip }) => isIP(ip) === 0)
    if (!this.#hasNames) this.#known = this.#configured
  }

  /**
   * Returns the latest addresses: the same array until they change. Rejects if none is known, and
   * none is found within `timeoutMs`.
   */
  async current(timeoutMs: number): Promise<readonly ServerAddress[]> {
    const ageMs = this.#hasNames ? Date.now() - this.#lookedUpAt : 0
    if (this.#known === undefined) await within(timeoutMs, this.#refresh())
    else if (ageMs > STALE_MS || this.#isInDoubt)
      await within(Math.min(timeoutMs, SOON_MS), this.#refresh()).catch(() => {})
    else if (ageMs > FRESH_MS) void this.#refresh().catch(() => {})
    return this.#known ?? []
  }

  /** Looks up names before the next call, because no server could be reached. */
  doubt(): void {
    this.#isInDoubt = this.#hasNames
  }

  async #refresh(): Promise<void> {
    this.#lookup ??= this.#lookUp().finally(() => (this.#lookup = undefined))
    await this.#lookup
  }

  async #lookUp(): Promise<void> {
    await sleep(Math.max(0, this.#lookedUpAt + PAUSE_MS - Date.now()))
    const lookups = this.#configured.map(async ({ ip: host, port, name }) =>
      oneFamily(await lookup(host, { all: true })).map((ip) => ({ ip, port, name })),
    )
    // A name that can't be resolved doesn't affect the others.
    const results = await Promise.allSettled(lookups)
    this.#lookedUpAt = Date.now()
    this.#isInDoubt = false
    const found = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    if (found.length === 0)
      throw new ConnectError('no server address can be resolved', Code.Unavailable)
    if (keyOf(found) !== keyOf(this.#known ?? [])) this.#known = found
  }
}

/** A server that has addresses of both families is called by one. */
function oneFamily(found: readonly { address: string; family: number }[]): string[] {
  const family = found.some((each) => each.family === 4) ? 4 : 6
  return found.filter((each) => each.family === family).map(({ address }) => address)
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

function parseAddress(address: string): ServerAddress {
  const { host, port } = hostAndPort(address)
  return { ip: host, port, name: host }
}

/** Names in DNS are answered in any order. */
function keyOf(addresses: readonly ServerAddress[]): string {
  return addresses.map(hostOf).sort().join()
}

/** Returns an address as `ip:port`, with brackets where a URL needs them. */
export function hostOf({ ip, port }: ServerAddress): string {
  return `${isIP(ip) === 6 ? `[${ip}]` : ip}:${port}`
}
