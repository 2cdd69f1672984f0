import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Returns the bytes of a request. `index` counts the requests of a run. */
export type RequestMaker = (index: number) => Buffer

/** The result of a run. */
export interface LoadResult {
  readonly requests: number
  readonly seconds: number
  readonly perSecond: number
  /** The number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** In milliseconds, sorted. */
  readonly latencies: Float64Array
}

/** The load of a run. */
export interface LoadOptions {
  readonly url: string
  readonly request: RequestMaker
  readonly connections: number
  readonly durationMs: number
  /**
   * Requests per second, sent at even intervals independent of the responses. Without it, each
   * connection sends its next request after each response.
   */
  readonly rate?: number
  readonly firstIndex?: number
}

/**
 * Sends requests over keep-alive connections, one at a time on each. Parses just enough HTTP for
 * responses with a Content-Length, so that the client costs little CPU time.
 */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { hostname, port } = new URL(options.url)
  const sockets = await Promise.all(
    Array.from({ length: options.connections }, async () => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      await once(socket, 'connect')
      return socket
    }),
  )
  try {
    return await new Run(options, sockets).finish()
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

/** Returns a quantile of latencies by nearest rank, in milliseconds. */
export function quantile({ latencies }: Pick<LoadResult, 'latencies'>, fraction: number): number {
  return latencies[Math.max(0, Math.ceil(latencies.length * fraction) - 1)] ?? Number.NaN
}

class Run {
  readonly #options: LoadOptions
  readonly #latencies: number[] = []
  readonly #statuses = new Map<string, number>()
  readonly #free: Connection[] = []
  readonly #due: number[] = []
  readonly #startedAt = performance.now()
  readonly #ended = Promise.withResolvers<void>()
  #index: number
  #open = 0
  #isOver = false

  constructor(options: LoadOptions, sockets: readonly Socket[]) {
    this.#options = options
    this.#index = options.firstIndex ?? 0
    for (const socket of sockets) {
      const connection = new Connection(socket, (status, startedAt) =>
        this.#answered(connection, status, startedAt),
      )
      socket.once('error', (error) => this.#ended.reject(error))
      socket.once('close', () => this.#ended.reject(new Error('the server closed a connection')))
      this.#free.push(connection)
    }
  }

  async finish(): Promise<LoadResult> {
    const { durationMs, rate } = this.#options
    const timer = setTimeout(() => {
      this.#isOver = true
      this.#end()
    }, durationMs)
    const pacer = rate === undefined ? undefined : setInterval(() => this.#schedule(rate), 1)
    if (rate === undefined)
      for (const connection of this.#free.splice(0)) this.#send(connection, performance.now())
    try {
      await this.#ended.promise
    } finally {
      clearTimeout(timer)
      clearInterval(pacer)
    }
    const seconds = (performance.now() - this.#startedAt) / 1000
    const requests = this.#latencies.length
    return {
      requests,
      seconds,
      perSecond: requests / seconds,
      statuses: Object.fromEntries(this.#statuses),
      latencies: Float64Array.from(this.#latencies).sort(),
    }
  }

  /** Sends the requests that are due. Latency counts from the due time, not the time of sending. */
  #schedule(rate: number): void {
    if (this.#isOver) return
    const target = Math.floor(((performance.now() - this.#startedAt) / 1000) * rate)
    const sent = this.#index - (this.#options.firstIndex ?? 0) + this.#due.length
    for (let count = sent; count < target; count += 1)
      this.#due.push(this.#startedAt + (count / rate) * 1000)
    while (this.#due.length > 0) {
      const connection = this.#free.pop()
      if (connection === undefined) return
      this.#send(connection, this.#due.shift() ?? performance.now())
    }
  }

  #send(connection: Connection, startedAt: number): void {
    this.#open += 1
    connection.send(this.#options.request(this.#index), startedAt)
    this.#index += 1
  }

  #answered(connection: Connection, status: string, startedAt: number): void {
    this.#open -= 1
    this.#latencies.push(performance.now() - startedAt)
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1)
    if (this.#isOver) return this.#end()
    if (this.#options.rate === undefined) return this.#send(connection, performance.now())
    const due = this.#due.shift()
    if (due === undefined) this.#free.push(connection)
    else this.#send(connection, due)
  }

  #end(): void {
    if (this.#open === 0) this.#ended.resolve()
  }
}

const HEAD_END = Buffer.from('\r\n\r\n')

/** One keep-alive connection. Calls `answered` when a response is complete. */
class Connection {
  readonly #socket: Socket
  #head: Buffer | undefined
  #status = ''
  #missing = 0
  #startedAt = 0

  constructor(socket: Socket, answered: (status: string, startedAt: number) => void) {
    this.#socket = socket
    socket.on('data', (chunk) => {
      if (this.#take(chunk)) answered(this.#status, this.#startedAt)
    })
  }

  send(request: Buffer, startedAt: number): void {
    this.#startedAt = startedAt
    this.#socket.write(request)
  }

  /** Whether the response is complete with this chunk. */
  #take(chunk: Buffer): boolean {
    if (this.#missing > 0) {
      this.#missing -= chunk.length
      return this.#missing <= 0
    }
    const data = this.#head === undefined ? chunk : Buffer.concat([this.#head, chunk])
    const headEnd = data.indexOf(HEAD_END)
    if (headEnd === -1) {
      this.#head = data
      return false
    }
    this.#head = undefined
    const head = data.toString('latin1', 0, headEnd)
    this.#status = head.slice(9, 12)
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
    this.#missing = length - (data.length - headEnd - HEAD_END.length)
    return this.#missing <= 0
  }
}
