import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'

import { fastifyConnectPlugin } from '@connectrpc/connect-fastify'
import { fastify } from 'fastify'

import { ConnectPolicies } from './connect-policies.ts'
import { ConnectUnaryServer } from './connect-unary-server.ts'
import { closeWithin } from './http-drain.ts'
import type { FairQueue } from '../../fairness/fair-queue.ts'
import { boundAddress, hostAndPort } from '../host-and-port.ts'
import { DRAIN_MS, KEEP_ALIVE_TIMEOUT_MS, MAX_REQUEST_BYTES, NOTICE_MS } from '../limits.ts'
import type { GuardedService } from '../policies/guard-service.ts'
import { createReceiving } from './receiving.ts'
import type { ServerCertificate } from '../../config/tls.ts'

export interface ConnectServer extends AsyncDisposable {
  /** The host:port that it listens on, with the actual port. */
  readonly address: string
}

export interface ConnectServerOptions {
  /** How long running calls may continue after the server starts to stop. */
  readonly drainMs?: number
  /** Serves TLS with it; undefined serves plaintext. */
  readonly certificate?: ServerCertificate | undefined
  /** The bound of the requests being received, which the listeners of a process share. */
  readonly receiving?: FairQueue
}

/**
 * Serves handlers over HTTP/1.1 with Connect (binary and JSON) and gRPC-web. Disposing of it stops
 * accepting requests, waits up to `drainMs` for running calls, then aborts them.
 */
export async function startConnectServer(
  address: string,
  services: readonly GuardedService[],
  { drainMs = DRAIN_MS, certificate, receiving = createReceiving() }: ConnectServerOptions = {},
): Promise<ConnectServer> {
  const shutdown = new AbortController()
  const unary = new ConnectUnaryServer(services, receiving, shutdown.signal)
  const app = fastify({
    bodyLimit: MAX_REQUEST_BYTES,
    forceCloseConnections: 'idle',
    serverFactory: (handle) =>
      serve(certificate, (request, response) => {
        if (!unary.handle(request, response)) handle(request, response)
      }),
  })
  const policies = new ConnectPolicies(services, receiving)
  app.addHook('preHandler', async (request) => {
    request.body = policies.bodyOf(request.raw)
  })
  await app.register(fastifyConnectPlugin, {
    readMaxBytes: MAX_REQUEST_BYTES,
    requestGate: policies.admit,
    contextValues: ({ raw }) => policies.valuesOf(raw),
    shutdownSignal: shutdown.signal,
    routes: (router) => {
      for (const { service, implementation } of services) router.service(service, implementation)
    },
  })
  const url = await app.listen(hostAndPort(address))
  return {
    address: boundAddress(address, new URL(url).port),
    async [Symbol.asyncDispose]() {
      unary.drain()
      const endCalls = (reason: Error) => shutdown.abort(reason)
      await closeWithin(app, { noticeMs: NOTICE_MS, drainMs, endCalls })
    },
  }
}

function serve(certificate: ServerCertificate | undefined, listener: RequestListener) {
  const options = { keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS }
  if (certificate === undefined) return createServer(options, listener)
  const { chain: cert, key } = certificate
  return createSecureServer({ ...options, cert, key }, listener)
}
