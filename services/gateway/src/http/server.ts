import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import proxyAddress from '@fastify/proxy-addr'
import { KEEP_ALIVE_TIMEOUT_MS } from '@slipway/shared/rpc'

import type { GatewayConfig } from '../config.ts'
import { networkOf } from './plugins/address-limit.ts'

type TrustTest = ReturnType<typeof proxyAddress.compile>

/**
 * The longest wait of a deploy is silent; but for a log that is followed, nothing else is so for as
 * long.
 */
const SILENCE_TIMEOUT_MS = 400_000
/** How soon a peer is asked whether it is still there, when its connection may be silent. */
const PROBE_AFTER_MS = 60_000
const CHECK_INTERVAL_MS = 1_000

/** The HTTP server of the REST API with its bounds; doesn't listen yet. */
export function createHttpServer(
  { limits, trustedProxies }: GatewayConfig,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  silenceMs: number = SILENCE_TIMEOUT_MS,
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
  server.setTimeout(silenceMs)
  server.maxConnections = limits.connections
  limitEachAddress(server, limits.connectionsPerAddress, trustTest(trustedProxies))
  return server
}

/**
 * Lets a connection be silent for as long as its present answer takes: the server bounds it anew at
 * the next request.
 */
export function allowSilence(socket: Socket): void {
  socket.setTimeout(0)
  socket.setKeepAlive(true, PROBE_AFTER_MS)
}

/**
 * Closes what is too much of one address, so that none can hold all connections; a trusted proxy
 * speaks for many.
 */
function limitEachAddress(server: Server, limit: number, isTrusted: TrustTest): void {
  const counts = new Map<string, number>()
  server.on('connection', (socket) => {
    const { remoteAddress = '' } = socket
    if (isTrusted(remoteAddress, 0)) return
    const network = networkOf(remoteAddress)
    const count = counts.get(network) ?? 0
    if (count >= limit) {
      socket.destroy()
      return
    }
    counts.set(network, count + 1)
    socket.once('close', () => {
      const left = (counts.get(network) ?? 1) - 1
      if (left > 0) counts.set(network, left)
      else counts.delete(network)
    })
  })
}

/** Tells the address that a request came from: the first that isn't a trusted proxy. */
export function addressReader({
  trustedProxies,
}: GatewayConfig): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return (request) => request.socket.remoteAddress ?? ''
  const isTrusted = trustTest(trustedProxies)
  return (request) => proxyAddress(request, isTrusted)
}

function trustTest(trustedProxies: readonly string[]): TrustTest {
  return trustedProxies.length === 0 ? () => false : proxyAddress.compile([...trustedProxies])
}
