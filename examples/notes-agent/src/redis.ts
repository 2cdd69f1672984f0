import { connect, type Socket } from 'node:net'

/** A value in a reply from Redis. */
export type RedisValue = string | number | null

/**
 * A minimal Redis client: one command at a time, with a simple value as its reply. See
 * https://redis.io/docs/latest/develop/reference/protocol-spec/
 */
export class Redis {
  readonly #url: URL
  #socket: Socket | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(url: string) {
    this.#url = new URL(url)
  }

  /** Sends a command and returns its reply. */
  async send(...words: string[]): Promise<RedisValue> {
    const answer = this.#last.then(() => this.#exchange(words))
    this.#last = answer.catch(() => {})
    return await answer
  }

  /** Closes the connection. */
  close(): void {
    this.#socket?.destroy()
  }

  async #exchange(words: readonly string[]): Promise<RedisValue> {
    const socket = (this.#socket ??= this.#open())
    const command = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')
    return await new Promise((resolve, reject) => {
      let received = Buffer.alloc(0)
      const finish = (settle: () => void) => {
        socket.off('data', onData).off('close', onClose)
        settle()
      }
      const onData = (chunk: Buffer) => {
        received = Buffer.concat([received, chunk])
        const answer = parseAnswer(received)
        if (answer instanceof Error) finish(() => reject(answer))
        else if (answer !== undefined) finish(() => resolve(answer))
      }
      const onClose = () => finish(() => reject(new Error('the connection to Redis was lost')))
      socket.on('data', onData).once('close', onClose)
      socket.write(`*${words.length}\r\n${command}`)
    })
  }

  #open(): Socket {
    const socket = connect(Number(this.#url.port || 6379), this.#url.hostname)
    socket.on('error', () => {})
    socket.once('close', () => {
      if (this.#socket === socket) this.#socket = undefined
    })
    return socket
  }
}

/** Parses the reply at the start of received bytes; returns undefined while it isn't complete. */
export function parseAnswer(received: Buffer): RedisValue | Error | undefined {
  const end = received.indexOf('\r\n')
  if (end < 0) return undefined
  const line = received.toString('utf8', 1, end)
  switch (String.fromCharCode(received[0] ?? 0)) {
    case '+':
      return line
    case '-':
      return new Error(line)
    case ':':
      return Number(line)
    case '$': {
      const length = Number(line)
      if (length < 0) return null
      const start = end + 2
      return received.length < start + length + 2
        ? undefined
        : received.toString('utf8', start, start + length)
    }
    default:
      return new Error('Redis sent a type of reply that this client does not support')
  }
}
