import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request as sendHttps } from 'node:https'

import { DomainError } from '@slipway/shared/errors'

import type { ClusterAccess } from './cluster-access.ts'
import { clusterUnreachable, KubernetesError, type KubernetesStatus } from './kubernetes-error.ts'

/** The maximum size of a response that is read into memory. */
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
  /** Replaces the client's default timeout. */
  readonly timeoutMs?: number
}

type ExchangeKind = 'plain' | 'stream'

/** A successful response of the API server. */
export interface KubernetesResponse<Body> {
  readonly statusCode: number
  readonly body: Body
}

/**
 * A client of one API server over keep-alive connections. Throws KubernetesError for error
 * responses and Unavailable (`cluster_unreachable`) when there is no response in time.
 */
export class KubernetesClient implements Disposable {
  readonly #access: ClusterAccess
  readonly #timeoutMs: number

  constructor(access: ClusterAccess, timeoutMs: number) {
    this.#access = access
    this.#timeoutMs = timeoutMs
  }

  /** Sends a request and reads the whole response as JSON. */
  async send<Body>(request: KubernetesRequest): Promise<KubernetesResponse<Body>> {
    const timeout = AbortSignal.timeout(request.timeoutMs ?? this.#timeoutMs)
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout
    try {
      const response = await this.#exchange(request, signal, 'plain')
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
   * Sends a request and returns the response as a stream, which `signal` ends. The timeout applies
   * to the response headers only.
   */
  async stream(request: KubernetesRequest): Promise<IncomingMessage> {
    const overdue = new AbortController()
    const timer = setTimeout(
      () => overdue.abort(new Error('no response in time')),
      request.timeoutMs ?? this.#timeoutMs,
    )
    const signal = request.signal
      ? AbortSignal.any([request.signal, overdue.signal])
      : overdue.signal
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
      // `once` reports errors before the response. Later errors are reported by the response.
      outgoing.on('error', () => {})
      try {
        outgoing.end(payload)
        // `once` needs the signal: an aborted request emits its error only after it is connected,
        // which a proxy may delay forever.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what node:http documents
        // for this event
        const [response] = (await once(outgoing, 'response', { signal })) as [IncomingMessage]
        return response
      } catch (error) {
        // The server closed an idle connection, so the request can be sent again. A POST might have
        // been processed.
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
    if (size > MAX_BODY_BYTES) throw new Error('the response of the API server is too large')
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
    // A proxy in front of the API server, or a kubelet, may respond in plain text.
  }
  return { message: text.slice(0, 500) }
}
