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

/** Thrown for a host that has no public address. Only operators see it. */
export class NotPublicError extends Error {
  constructor(host: string) {
    super(`${host} has no public address`)
    this.name = 'NotPublicError'
  }
}

/** The connections to registries. */
export class RegistryConnections implements AsyncDisposable {
  readonly #isPublic: (address: string) => boolean
  readonly #guarded: Dispatcher
  readonly #internal: Dispatcher

  /** `resolve` replaces DNS. */
  constructor(isPublic: (address: string) => boolean, resolve: ResolveHost = resolveHost) {
    this.#isPublic = isPublic
    this.#guarded = agentWith({ lookup: guardedLookup(isPublic, resolve) })
    this.#internal = agentWith({})
  }

  /**
   * Returns the dispatcher for requests to a host. Unless it may be internal, it connects only to
   * public addresses, and to those that it has checked, so that a second DNS response doesn't
   * matter. Throws NotPublicError for an IP address that isn't public.
   */
  for({ hostname }: URL, { mayBeInternal }: { readonly mayBeInternal: boolean }): Dispatcher {
    if (mayBeInternal) return this.#internal
    const host = hostname.replace(/^\[|\]$/g, '')
    // Addresses aren't looked up.
    if (isIP(host) !== 0 && !this.#isPublic(host)) throw new NotPublicError(host)
    return this.#guarded
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

function guardedLookup(
  isPublic: (address: string) => boolean,
  resolve: ResolveHost,
): LookupFunction {
  const publicOf = async (host: string): Promise<LookupAddress[]> => {
    const found = (await resolve(host)).filter(isPublic)
    if (found.length === 0) throw new NotPublicError(host)
    return found.map((address) => ({ address, family: isIP(address) }))
  }
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
