import { Code, ConnectError } from '@connectrpc/connect'
import type { FastifyInstance } from 'fastify'

const IDLE_CHECK_INTERVAL_MS = 50
/** How long aborted calls may take to respond to their callers. */
const ABORT_GRACE_MS = 1_000

/**
 * Closes an HTTP server: stops accepting requests, waits up to `drainMs` for running ones, then
 * aborts them by calling `endCalls` with an error for their callers, and soon closes all
 * connections.
 */
export async function closeWithin(
  app: FastifyInstance,
  drainMs: number,
  endCalls: (reason: ConnectError) => void,
): Promise<void> {
  const { server } = app
  // Connections whose response began before the close stay open for another request.
  const idleCheck = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_INTERVAL_MS)
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
