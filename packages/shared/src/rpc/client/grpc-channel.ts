import { isIP } from 'node:net'

import {
  Client,
  connectivityState,
  credentials,
  type ChannelCredentials,
  type ClientOptions,
} from '@grpc/grpc-js'

import { PING_MS, PING_TIMEOUT_MS } from './life-check.ts'
import { hostOf, type ServerAddress, ServerAddresses } from './server-addresses.ts'
import { currentCa, type TrustedCa } from './trusted-ca.ts'

/** How long a new channel may take to find a server. */
const OPEN_MS = 2_000
/** How long a replaced channel may still retry calls. Calls that a server has received continue. */
const REPLACED_MS = 30_000
const PINGS = {
  'grpc.keepalive_time_ms': PING_MS,
  'grpc.keepalive_timeout_ms': PING_TIMEOUT_MS,
}
/** The only server is worth waiting for, also while it is busy. */
const ALONE = { 'grpc.keepalive_time_ms': 30_000 }

/**
 * A channel to the servers of a service. grpc-js resolves a name again only when a connection
 * fails, so new replicas would not be called. So names are resolved here. When their addresses or
 * the authorities to trust change, the channel is replaced by a new one, which shares the
 * connections that both need.
 */
export class GrpcChannel implements Disposable {
  readonly #addresses: ServerAddresses
  readonly #trustedCa: TrustedCa | undefined
  readonly #options: ClientOptions
  readonly #open = new Set<Client>()
  #called: readonly ServerAddress[] | undefined
  #ca: string | undefined
  #credentials: ChannelCredentials = credentials.createInsecure()
  #current: Client | undefined

  constructor(
    addresses: readonly string[],
    trustedCa: TrustedCa | undefined,
    options: ClientOptions,
  ) {
    this.#addresses = new ServerAddresses(addresses)
    this.#trustedCa = trustedCa
    this.#options = options
  }

  /**
   * Returns the client for the next call. Rejects if no address is known within `timeoutMs`, or if
   * there is no valid authority to trust.
   */
  async client(timeoutMs: number): Promise<Client> {
    this.#trust(currentCa(this.#trustedCa))
    if (this.#current && !isConnected(this.#current)) this.#addresses.doubt()
    const addresses = await this.#addresses.current(timeoutMs)
    if (this.#current === undefined) this.#current = this.#start(addresses)
    else if (addresses !== this.#called) this.#replace(this.#current, addresses)
    return this.#current
  }

  /** Opens a new channel for the next call if other authorities are to be trusted. */
  #trust(ca: string | undefined): void {
    if (ca === undefined || ca === this.#ca) return
    this.#ca = ca
    this.#credentials = credentials.createSsl(Buffer.from(ca))
    this.#called = undefined
  }

  #start(addresses: readonly ServerAddress[]): Client {
    this.#called = addresses
    const options = { ...this.#options, ...optionsFor(addresses) }
    const client = new Client(targetOf(addresses), this.#credentials, options)
    this.#open.add(client)
    return client
  }

  /** Calls use the current channel, if it is connected, until the next one is. */
  #replace(current: Client, addresses: readonly ServerAddress[]): void {
    const next = this.#start(addresses)
    const change = () => {
      // The addresses may have changed again.
      if (this.#called !== addresses) return this.#close(next)
      this.#current = next
      setTimeout(() => this.#close(current), REPLACED_MS).unref()
    }
    if (isConnected(current)) next.waitForReady(Date.now() + OPEN_MS, change)
    else change()
  }

  #close(client: Client): void {
    if (this.#open.delete(client)) client.close()
  }

  [Symbol.dispose](): void {
    for (const client of this.#open) this.#close(client)
  }
}

function isConnected(client: Client): boolean {
  return client.getChannel().getConnectivityState(false) === connectivityState.READY
}

function targetOf(addresses: readonly ServerAddress[]): string {
  const family = addresses.some(({ ip }) => isIP(ip) === 6) ? 'ipv6' : 'ipv4'
  return `${family}:${addresses.map(hostOf).join()}`
}

function optionsFor(addresses: readonly ServerAddress[]): ClientOptions {
  const name = addresses.find(({ name }) => isIP(name) === 0)?.name
  return {
    ...(addresses.length > 1 ? PINGS : ALONE),
    // The name in the certificate.
    ...(name && { 'grpc.ssl_target_name_override': name, 'grpc.default_authority': name }),
  }
}
