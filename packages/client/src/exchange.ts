import { ofReason, toConnectionError } from './connection-error.ts'
import { ApiError, ConnectionError } from './errors.ts'
import type { ClientOptions } from './options.ts'
import { toApiError } from './read-problem.ts'

/** One request of a call. */
export interface Exchange {
  readonly request: Request
  readonly body: ArrayBuffer | undefined
  readonly token: string | undefined
  readonly attempt: number
  /** Whether the response's body is read by the caller. */
  readonly isStream: boolean
}

const READ_TIMEOUT_MS = 30_000
/** Longer than the server's own deadline of a deploy. */
const CHANGE_TIMEOUT_MS = 120_000

/** Sends one request. Throws an ApiError, a ConnectionError or the reason of its signal. */
export async function sendOnce(exchange: Exchange, options: ClientOptions): Promise<Response> {
  const { request, isStream } = exchange
  const server = new URL(request.url).origin
  const timeout = new AbortController()
  const timeoutMs = timeoutOf(request, options.timeoutMs)
  const timer = setTimeout(() => timeout.abort(ofReason('timeout', server)), timeoutMs)
  try {
    const response = await exchangeHeaders(exchange, options, timeout.signal)
    const { status, statusText, headers } = response
    if (!response.ok) throw toApiError(nameOf(request), response, await response.text())
    if (isStream || status === 204 || status === 205) return response
    // Read here, so that a response that ends early counts as a failed request.
    return new Response(await response.arrayBuffer(), { status, statusText, headers })
  } catch (error) {
    request.signal.throwIfAborted()
    if (timeout.signal.aborted) throw timeout.signal.reason
    if (error instanceof ApiError) throw error
    throw toConnectionError(error, server)
  } finally {
    clearTimeout(timer)
  }
}

async function exchangeHeaders(
  { request, body, token, attempt }: Exchange,
  options: ClientOptions,
  timeout: AbortSignal,
): Promise<Response> {
  const { method, url } = request
  const headers = new Headers(request.headers)
  if (token !== undefined && !headers.has('authorization'))
    headers.set('authorization', `Bearer ${token}`)
  const sent = { method, url, attempt }
  options.onRequest?.(sent)
  const start = performance.now()
  const send = options.fetch ?? globalThis.fetch
  const isRead = method === 'GET' || method === 'HEAD'
  const response = await send(url, {
    method,
    headers,
    signal: AbortSignal.any([request.signal, timeout]),
    credentials: request.credentials,
    // A change has credentials in its body, which `fetch` would send to any other host.
    redirect: isRead ? 'follow' : 'manual',
    ...(body === undefined ? {} : { body }),
  })
  options.onResponse?.({
    ...sent,
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    durationMs: performance.now() - start,
  })
  if (!isRead && isRedirect(response)) throw redirected(url, response)
  return response
}

function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400)
}

function redirected(url: string, { headers }: Response): ConnectionError {
  const { origin } = new URL(url)
  const target = URL.parse(headers.get('location') ?? '', url)?.origin ?? 'another address'
  const message = `the server redirects changes to ${target}; if that is your server, use its URL`
  return new ConnectionError('not_slipway', origin, message)
}

function timeoutOf({ method, url }: Request, chosenMs: number | undefined): number {
  const waitSeconds = Number(new URL(url).searchParams.get('wait') ?? 0)
  const defaultMs = method === 'GET' || method === 'HEAD' ? READ_TIMEOUT_MS : CHANGE_TIMEOUT_MS
  return (chosenMs ?? defaultMs) + (Number.isFinite(waitSeconds) ? waitSeconds * 1000 : 0)
}

function nameOf({ method, url }: Request): string {
  const { origin, pathname } = new URL(url)
  return `${method} ${origin}${pathname}`
}
