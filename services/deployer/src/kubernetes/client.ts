import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request as sendHttps } from 'node:https'

import { DomainError } from '@slipway/shared/errors'

import type { ClusterAccess } from './cluster-access.ts'
import { clusterUnreachable, KubernetesError, type KubernetesStatus } from './kubernetes-error.ts'

/** Largest answer that is read into memory. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

/** One request to the API server. */
export interface KubernetesRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Path and query. */
  readonly path: string
  readonly body?: unknown
  readonly contentType?: string
  readonly accept?: string
  readonly signal?: AbortSignal
  /** Instead of the client's own limit. */
  readonly timeoutMs?: number
}

type ExchangeKind = 'answer' | 'stream'

/** An answer of the API server that is no error. */
export interface KubernetesAnswer<Body> {
  readonly statusCode: number
  readonly body: Body
}

/**
 * Requests to one API server over kept-alive connections. Throws KubernetesError for a refusal and
 * Unavailable (`cluster_unreachable`) when there is no answer in time.
 */
export class KubernetesClient implements Disposable {
  readonly #access: ClusterAccess
  readonly #timeoutMs: number

  constructor(access: ClusterAccess, timeoutMs: number) {
    this.#access = access
    this.#timeoutMs = timeoutMs
  }

  /** Sends a request and reads the whole answer as JSON. */
  async send<Body>(request: KubernetesRequest): Promise<KubernetesAnswer<Body>> {
    const timeout = AbortSignal.timeout(request.timeoutMs ?? this.#timeoutMs)
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout
    try {
      const response = await this.#exchange(request, signal, 'answer')
      const text = await readText(response)
      const statusCode = response.statusCode ?? 0
      if (statusCode >= 400) throw new KubernetesError(statusCode, parseStatus(text))
      return { statusCode, body: JSON.parse(text) as Body }
    } catch (error) {
      request.signal?.throwIfAborted()
      if (error instanceof KubernetesError || error instanceof DomainError) throw error
      throw clusterUnreachable(timeout.aborted ? timeout.reason : error)
    }
  }

  /**
   * Sends a request and gives the answer's body as it arrives. `signal` ends it; only the first
   * byte has a limit.
   */
  async stream(request: KubernetesRequest): Promise<IncomingMessage> {
    const firstByte = new AbortController()
    const timer = setTimeout(
      () => firstByte.abort(new Error('no answer in time')),
      request.timeoutMs ?? this.#timeoutMs,
    )
    const signal = request.signal
      ? AbortSignal.any([request.signal, firstByte.signal])
      : firstByte.signal
    try {
      const response = await this.#exchange(request, signal, 'stream')
      const statusCode = response.statusCode ?? 0
      if (statusCode >= 400)
        throw new KubernetesError(statusCode, parseStatus(await readText(response)))
      return response
    } catch (error) {
      request.signal?.throwIfAborted()
      if (error instanceof KubernetesError || error instanceof DomainError) throw error
      throw clusterUnreachable(error)
    } finally {
      clearTimeout(timer)
    }
  }

  [Symbol.dispose](): void {
    this.#access[Symbol.dispose]()
  }

  async #exchange(
    request: KubernetesRequest,
    signal: AbortSignal,
    kind: ExchangeKind,
  ): Promise<IncomingMessage> {
    const response = await this.#exchangeOnce(request, signal, { kind })
    if (response.statusCode !== 401) return response
    response.resume()
    return await this.#exchangeOnce(request, signal, { kind, renew: true })
  }

  async #exchangeOnce(
    request: KubernetesRequest,
    signal: AbortSignal,
    { kind, renew = false }: { readonly kind: ExchangeKind; readonly renew?: boolean },
  ): Promise<IncomingMessage> {
    const { agent, streamAgent, headers } = await this.#access.connect({ renew })
    const payload =
      request.body === undefined ? undefined : Buffer.from(JSON.stringify(request.body))
    for (let attempt = 1; ; attempt++) {
      const outgoing = sendHttps({
        protocol: this.#access.server.protocol,
        hostname: this.#access.server.hostname,
        port: this.#access.server.port,
        path: `${this.#access.server.pathname.replace(/\/$/, '')}${request.path}`,
        method: request.method,
        agent: kind === 'stream' ? streamAgent : agent,
        signal,
        headers: {
          ...headers,
          accept: request.accept ?? 'application/json',
          ...(payload && {
            'content-type': request.contentType ?? 'application/json',
            'content-length': payload.length,
          }),
        },
      })
      // `once` reports errors until there is a response; later ones are the response's.
      outgoing.on('error', () => {})
      try {
        outgoing.end(payload)
        // An aborted request emits its error only when it has a connection, which a proxy may never
        // give it, so `once` must end by the signal.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what node:http documents
        // for this event
        const [response] = (await once(outgoing, 'response', { signal })) as [IncomingMessage]
        return response
      } catch (error) {
        // A kept-alive connection that the server has just closed: nothing was processed. A POST
        // might have been.
        if (outgoing.reusedSocket && attempt <= 3 && request.method !== 'POST' && !signal.aborted)
          continue
        throw error
      }
    }
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw new Error('the answer of the API server is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseStatus(text: string): KubernetesStatus {
  try {
    const status: unknown = JSON.parse(text)
    if (
      typeof status === 'object' &&
      status !== null &&
      'kind' in status &&
      status.kind === 'Status'
    ) {
      return status as KubernetesStatus
    }
  } catch {
    // A proxy before the API server, or the kubelet behind it, may answer in plain text.
  }
  return { message: text.slice(0, 500) }
}
