import { Agent, request, type IncomingMessage } from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import { text } from 'node:stream/consumers'

import { lookupLocalhost } from '@slipway/local/process/localhost-names'

import { failureOf, type Outcome } from './outcome.ts'

/** How many connections are kept open. */
const CONNECTIONS = 64
/** One of this number of requests gets a new connection: only these can be refused. */
const FRESH_EVERY = 8

const FRESH = { lookup: lookupLocalhost }
/** The connections take turns, so that each often has requests when a replica leaves. */
const KEPT = { ...FRESH, keepAlive: true, maxSockets: CONNECTIONS, scheduling: 'fifo' } as const

/** A request. */
export interface Sent {
  readonly method: string
  readonly url: string
  readonly token?: string | undefined
  /** Sent as JSON, or as protobuf if it is bytes. */
  readonly body?: object | undefined
  readonly timeoutMs?: number
}

/** Sends each request once: a retry would hide a reset. */
export class HttpSender implements Disposable {
  readonly #agents = {
    'http:': { kept: new Agent(KEPT), fresh: new Agent(FRESH) },
    'https:': { kept: new TlsAgent(KEPT), fresh: new TlsAgent(FRESH) },
  }
  #count = 0

  async send({ method, url, token, body, timeoutMs = 30_000 }: Sent): Promise<Outcome> {
    this.#count += 1
    const protocol = url.startsWith('https:') ? 'https:' : 'http:'
    const agents = this.#agents[protocol]
    const agent = this.#count % FRESH_EVERY === 0 ? agents.fresh : agents.kept
    const isBinary = body instanceof Uint8Array
    const bytes = isBinary ? body : body && Buffer.from(JSON.stringify(body))
    const type = isBinary ? 'application/x-protobuf' : 'application/json'
    const signal = AbortSignal.timeout(timeoutMs)
    const sent = (protocol === 'https:' ? tlsRequest : request)(url, {
      method,
      agent,
      signal,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(bytes && { 'content-type': type, 'content-length': bytes.length }),
      },
    })
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        sent.once('response', resolve).on('error', reject).end(bytes)
      })
      return answerOf(response, await text(response))
    } catch (error) {
      const detail = `${(error as NodeJS.ErrnoException).code ?? ''} ${String(error)}`
      if (signal.aborted) return { failure: 'timeout', detail: `no answer in ${timeoutMs} ms` }
      return failureOf(`${detail}${sent.reusedSocket ? ', on a kept connection' : ''}`)
    }
  }

  [Symbol.dispose](): void {
    for (const { kept, fresh } of Object.values(this.#agents)) {
      kept.destroy()
      fresh.destroy()
    }
  }
}

function answerOf({ statusCode = 0, headers }: IncomingMessage, content: string): Outcome {
  const isJson = /json/.test(headers['content-type'] ?? '')
  const seconds = Number(headers['retry-after'])
  return {
    status: statusCode,
    body: isJson && content !== '' ? (JSON.parse(content) as unknown) : content,
    ...(seconds > 0 && { retryAfterMs: seconds * 1000 }),
  }
}
