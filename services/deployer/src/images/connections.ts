import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'

import { Agent, type Dispatcher } from 'undici'

const CONNECT_TIMEOUT_MS = 3_000
const RESPONSE_TIMEOUT_MS = 5_000
const MAX_HEADER_BYTES = 16 * 1024
const MAX_BODY_BYTES = 64 * 1024

/** Returns the addresses of a host. */
export type ResolveHost = (host: string) => Promise<readonly string[]>

/** Thrown for a host with an address that isn't public. */
export class NotPublicError extends Error {
  constructor(host: string) {
    super(`${host} has an address that isn't public`)
    this.name = 'NotPublicError'
  }
}

/** The connections to registries. */
export class RegistryConnections implements AsyncDisposable {
  readonly #isPublic: (address: string) => boolean
  readonly #publicOf: (host: string) => Promise<LookupAddress[]>
  readonly #guarded: Dispatcher
  readonly #internal: Dispatcher

  /** `resolve` replaces DNS. */
  constructor(isPublic: (address: string) => boolean, resolve: ResolveHost = resolveHost) {
    this.#isPublic = isPublic
    this.#publicOf = publicAddressesOf(isPublic, resolve)
    this.#guarded = agentWith({ lookup: guardedLookup(this.#publicOf) })
    this.#internal = agentWith({})
  }

  /**
   * Returns the dispatcher for requests to a host. Unless it may be internal, it connects only to
   * public addresses, and to those that it has checked, so that a second DNS response doesn't
   * matter. Throws NotPublicError for an IP address that isn't public.
   */
  for({ hostname }: URL, { mayBeInternal }: { readonly mayBeInternal: boolean }): Dispatcher {
    if (mayBeInternal) return this.#internal
    this.#requirePublic(hostname)
    return this.#guarded
  }

  /** Throws NotPublicError if a host has an address that isn't public, as far as DNS knows it. */
  async check({ hostname }: URL): Promise<void> {
    if (this.#requirePublic(hostname)) return
    try {
      await this.#publicOf(hostname)
    } catch (error) {
      if (error instanceof NotPublicError) throw error
      // Nodes may have another DNS server.
    }
  }

  /** Addresses aren't looked up; returns whether the host is one. */
  #requirePublic(hostname: string): boolean {
    const host = hostname.replace(/^\[|\]$/g, '')
    const isAddress = isIP(host) !== 0
    if (isAddress && !this.#isPublic(host)) throw new NotPublicError(host)
    return isAddress
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#guarded.destroy(), this.#internal.destroy()])
  }
}

function agentWith(connect: { readonly lookup?: LookupFunction }): Agent {
  return new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MS, ...connect },
    headersTimeout: RESPONSE_TIMEOUT_MS,
    bodyTimeout: RESPONSE_TIMEOUT_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    maxResponseSize: MAX_BODY_BYTES,
    keepAliveTimeout: 1_000,
  })
}

// One internal address is enough: nodes may use any of them.
function publicAddressesOf(
  isPublic: (address: string) => boolean,
  resolve: ResolveHost,
): (host: string) => Promise<LookupAddress[]> {
  return async (host) => {
    const found = await resolve(host)
    if (found.length === 0 || !found.every((address) => isPublic(reachedBy(address))))
      throw new NotPublicError(host)
    return found.map((address) => ({ address, family: isIP(address) }))
  }
}

/** The IPv4 address to which NAT64 leads from one that DNS64 has made of it, else the address. */
function reachedBy(address: string): string {
  const [, high = '0', low] = /^64:ff9b::(?:([\da-f]+):)?([\da-f]+)$/i.exec(address) ?? []
  if (low === undefined) return address
  const bytes = [high, low].map((part) => Number.parseInt(part, 16))
  return bytes.flatMap((part) => [part >> 8, part & 255]).join('.')
}

function guardedLookup(publicOf: (host: string) => Promise<LookupAddress[]>): LookupFunction {
  const lookup = callbackify(publicOf)
  return (host, { all }, callback) => {
    lookup(host, (error, found) => {
      if (error !== null) callback(error, '')
      else if (all) callback(null, found)
      else callback(null, found[0]?.address ?? '', found[0]?.family)
    })
  }
}

// Not getaddrinfo: slow DNS servers would block its few threads, which the whole process shares.
async function resolveHost(host: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 })
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason
  return [v4, v6].flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
}
