import type { Server } from 'node:http'
import { promisify } from 'node:util'

import { Code, ConnectError } from '@connectrpc/connect'
import type { FastifyInstance } from 'fastify'

import { sleepInSteps } from '../../waiting.ts'
import { ABORT_GRACE_MS } from '../limits.ts'

const CHECK_INTERVAL_MS = 50
const NOTICE_STEP_MS = 10

/** How an HTTP server closes. */
export interface Closing {
  /**
   * How long responses ask clients to use other connections before those that are open and idle are
   * closed. A request that is sent on a connection while it is being closed is lost.
   */
  readonly noticeMs: number
  /** Ends waits and endless streams after that: their clients continue on another connection. */
  readonly endWaits?: () => void
  /** How long other running requests may continue. */
  readonly drainMs: number
  /** Aborts them, with an error for their callers. */
  readonly endCalls: (reason: ConnectError) => void
}

/**
 * Closes an HTTP server: gives notice to its clients, stops accepting requests, waits for running
 * ones, then aborts them, and soon closes all connections.
 */
export async function closeWithin(
  app: FastifyInstance,
  { noticeMs, endWaits, drainMs, endCalls }: Closing,
): Promise<void> {
  const { server } = app
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
  await untilLeft(server, noticeMs)
  endWaits?.()
  // Connections whose response began before the notice stay open for another request.
  // Immediates run after the requests that have arrived are read: their connections aren't idle.
  const closeIdle = () => setImmediate(() => server.closeIdleConnections())
  const idleCheck = setInterval(closeIdle, CHECK_INTERVAL_MS)
  let closeTimer: NodeJS.Timeout | undefined
  const deadline = setTimeout(() => {
    endCalls(new ConnectError('the server is shutting down', Code.Unavailable))
    closeTimer = setTimeout(() => server.closeAllConnections(), ABORT_GRACE_MS)
  }, drainMs)
  try {
    await app.close()
  } finally {
    clearInterval(idleCheck)
    clearTimeout(deadline)
    clearTimeout(closeTimer)
  }
}

/**
 * Waits until a server has no connections, at most `timeoutMs`. Each step reads the requests that
 * have arrived.
 */
async function untilLeft(server: Server, timeoutMs: number): Promise<void> {
  const countConnections = promisify(server.getConnections.bind(server))
  for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs += NOTICE_STEP_MS) {
    if ((await countConnections()) === 0) return
    await sleepInSteps(NOTICE_STEP_MS, 1)
  }
}
