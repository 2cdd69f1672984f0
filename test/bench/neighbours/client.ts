import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

/** A response. */
export interface Answer {
  readonly status: number
  readonly text: string
}

/** Sends requests from its own address, so that no limit of an address counts for two clients. */
export class Client implements Disposable {
  /** How many responses there were, by status. */
  readonly answers: Record<string, number> = {}
  readonly #agent: Agent
  readonly #timeoutMs: number | undefined

  /** With `timeoutMs`, a request fails if it has no complete response by then. */
  constructor(address: string, timeoutMs?: number) {
    this.#timeoutMs = timeoutMs
    this.#agent = new Agent({ keepAlive: true, localAddress: address })
  }

  /** Sends a request and reads the response. */
  async send(method: string, url: string, options: SendOptions = {}): Promise<Answer> {
    const response = await this.open(method, url, options)
    return { status: response.statusCode ?? 0, text: await text(response) }
  }

  /** Sends a request, and doesn't read the body of the response. */
  async open(method: string, url: string, options: SendOptions = {}): Promise<IncomingMessage> {
    const { token, body, headers } = options
    const bytes = body instanceof Buffer ? body : body && Buffer.from(JSON.stringify(body))
    const sent = request(url, {
      method,
      agent: this.#agent,
      ...(this.#timeoutMs !== undefined && { signal: AbortSignal.timeout(this.#timeoutMs) }),
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(bytes && { 'content-type': 'application/json', 'content-length': bytes.length }),
        ...headers,
      },
    })
    sent.end(bytes)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const status = String(response.statusCode)
    this.answers[status] = (this.answers[status] ?? 0) + 1
    return response
  }

  [Symbol.dispose](): void {
    this.#agent.destroy()
  }
}

/** Options of a request. */
export interface SendOptions {
  readonly token?: string | undefined
  /** Sent as JSON, unless it is a Buffer. */
  readonly body?: object | undefined
  readonly headers?: Readonly<Record<string, string>>
}
