import { ApiError } from './errors.ts'
import { sendOnce, type Exchange } from './exchange.ts'
import type { ClientOptions, TokenSource } from './options.ts'
import { retryBounds, retryDelayMs } from './retry.ts'
import { wait } from './wait.ts'

/** How a request may be sent. */
export interface SendOptions {
  /** Whether sending it twice has the effect of sending it once. */
  readonly isRepeatable: boolean
  /** Whether the response's body is read by the caller. Otherwise, it is complete. */
  readonly isStream: boolean
}

/** Sends a request until there is a response with a status of 2xx. */
export type Transport = (request: Request, options: SendOptions) => Promise<Response>

/**
 * Makes a transport with the client's token and bounds. It throws an ApiError, a ConnectionError or
 * the reason of the request's signal.
 */
export function createTransport(options: ClientOptions): Transport {
  const bounds = retryBounds(options.retries)
  const tokenSource = toTokenSource(options.token)
  return async (request, { isRepeatable, isStream }) => {
    const start = performance.now()
    const body = await bodyOf(request)
    let token = await tokenSource({ rejected: undefined })
    let isRefreshed = false
    let failures = 0
    for (let attempt = 1; ; attempt += 1) {
      const exchange: Exchange = { request, body, token, attempt, isStream }
      try {
        return await sendOnce(exchange, options)
      } catch (error) {
        request.signal.throwIfAborted()
        if (isRejectedToken(error) && token !== undefined && !isRefreshed) {
          isRefreshed = true
          const other = await tokenSource({ rejected: token })
          if (other === undefined || other === token) throw error
          token = other
          continue
        }
        failures += 1
        const elapsedMs = performance.now() - start
        const delayMs = isRepeatable
          ? retryDelayMs({ error, attempt: failures, elapsedMs }, bounds)
          : undefined
        if (delayMs === undefined) throw error
        const { method, url } = request
        options.onRetry?.({ method, url, delayMs, error: error as Error })
        await wait(delayMs, request.signal)
        // It may have expired meanwhile.
        token = await tokenSource({ rejected: undefined })
        isRefreshed = false
      }
    }
  }
}

function toTokenSource(token: ClientOptions['token']): TokenSource {
  return typeof token === 'function' ? token : () => token
}

function isRejectedToken(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

async function bodyOf(request: Request): Promise<ArrayBuffer | undefined> {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined
  const body = await request.arrayBuffer()
  return body.byteLength === 0 ? undefined : body
}
