import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

import proxyAddress from '@fastify/proxy-addr'

import type { GatewayConfig } from './config.ts'

const KEEP_ALIVE_TIMEOUT_MS = 72_000
/** The longest wait of a deploy is silent; nothing else is so for as long. */
const SILENCE_TIMEOUT_MS = 400_000
const CHECK_INTERVAL_MS = 1_000

/** The HTTP server of the REST API with its bounds; doesn't listen yet. */
export function createHttpServer(
  { limits }: GatewayConfig,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
    },
    handle,
  )
  server.setTimeout(SILENCE_TIMEOUT_MS)
  server.maxConnections = limits.connections
  return server
}

/** Tells the address that a request came from: the first that isn't a trusted proxy. */
export function addressReader({ trustedProxies }: GatewayConfig): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return (request) => request.socket.remoteAddress ?? ''
  const isTrusted = proxyAddress.compile([...trustedProxies])
  return (request) => proxyAddress(request, isTrusted)
}
