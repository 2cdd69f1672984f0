import { Client, type ChannelCredentials, type ClientOptions } from '@grpc/grpc-js'

/** How long the addresses of a name are used. */
const LOOKUP_TTL_MS = 5_000
/** How long a new channel may take to find a server. */
const OPEN_MS = 2_000
/** How long a replaced channel may still retry calls. Calls that a server has received continue. */
const REPLACED_MS = 30_000

/**
 * A channel that looks up the servers of a name, for example of a headless Service, every few
 * seconds while it is used. A channel of grpc-js does this only when a connection fails, so new
 * replicas would not be called. So it is replaced by a new one, which shares the connections.
 */
export class GrpcChannel implements Disposable {
  readonly #target: string
  readonly #credentials: ChannelCredentials
  readonly #options: ClientOptions
  readonly #open = new Set<Client>()
  #current: Client
  #lookedUpAt = Date.now()

  constructor(target: string, credentials: ChannelCredentials, options: ClientOptions) {
    this.#target = target
    this.#credentials = credentials
    this.#options = options
    this.#current = this.#start()
  }

  /** The client for the next call. */
  get client(): Client {
    const isName = this.#target.startsWith('dns:')
    if (isName && Date.now() - this.#lookedUpAt > LOOKUP_TTL_MS) this.#replace()
    return this.#current
  }

  #start(): Client {
    const client = new Client(this.#target, this.#credentials, this.#options)
    this.#open.add(client)
    return client
  }

  #replace(): void {
    this.#lookedUpAt = Date.now()
    const next = this.#start()
    next.waitForReady(Date.now() + OPEN_MS, (error) => {
      if (error) return this.#close(next)
      const replaced = this.#current
      this.#current = next
      setTimeout(() => this.#close(replaced), REPLACED_MS).unref()
    })
  }

  #close(client: Client): void {
    if (this.#open.delete(client)) client.close()
  }

  [Symbol.dispose](): void {
    for (const client of this.#open) this.#close(client)
  }
}
