import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import { limitConnectionAge } from '@slipway/shared/connection-age'
import { limitConnections } from '@slipway/shared/connection-limit'
import { KEEP_ALIVE_TIMEOUT_MS } from '@slipway/shared/rpc'

import { trustTest } from '../requests/client-address.ts'
import { refuseTunnel } from './client-errors.ts'
import { networkOf } from '../requests/client-network.ts'
import { closeStalledSockets } from './stalled-sockets.ts'

/**
 * A deploy that waits for its rollout is silent for up to 375 s. Only a followed log may be silent
 * for longer.
 */
const SILENCE_TIMEOUT_MS = 400_000
/** How soon TCP keep-alive probes start on a connection that may be silent. */
const PROBE_AFTER_MS = 60_000
const CHECK_INTERVAL_MS = 1_000

/** Limits of requests and connections. */
export interface ServerLimits {
  /** Maximum size of a request body. */
  readonly bodyBytes: number
  readonly connections: number
  /** Per IPv4 address or IPv6 /64; trusted proxies are exempt. */
  readonly connectionsPerAddress: number
  /** How long a client may take to send the headers, and the whole request. */
  readonly headersTimeoutMs: number
  readonly requestTimeoutMs: number
  /** How long a client may take to read nothing while bytes wait to be sent. */
  readonly stallTimeoutMs: number
}

/** Settings of the HTTP server. */
export interface ServerOptions {
  readonly limits: ServerLimits
  /** Addresses and networks of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[]
}

/** Creates the HTTP server of the REST API with its limits. Doesn't listen yet. */
export function createHttpServer(
  { limits, trustedProxies }: ServerOptions,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  silenceMs: number = SILENCE_TIMEOUT_MS,
): Server {
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      // Node's own responses have no body; `addRequestRules` rejects these requests.
      requireHostHeader: false,
    },
    handle,
  )
  server.on('checkExpectation', handle)
  server.on('checkContinue', (request, response) => {
    // A body that is too large is refused before the client sends it.
    if (Number(request.headers['content-length'] ?? 0) <= limits.bodyBytes) response.writeContinue()
    handle(request, response)
  })
  server.on('connect', refuseTunnel)
  server.setTimeout(silenceMs)
  server.maxConnections = limits.connections
  limitConnectionAge(server)
  closeStalledSockets(server, limits.stallTimeoutMs)
  // Trusted proxies have the connections of many clients.
  const isTrusted = trustTest(trustedProxies)
  limitConnections(server, limits.connectionsPerAddress, (address) =>
    isTrusted(address, 0) ? undefined : networkOf(address),
  )
  return server
}

/**
 * Lets a connection be silent until its current response ends; the server restores its timeout with
 * the next request.
 */
export function allowSilence(socket: Socket): void {
  socket.setTimeout(0)
  socket.setKeepAlive(true, PROBE_AFTER_MS)
}
