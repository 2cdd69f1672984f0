import { Code, ConnectError } from '@connectrpc/connect'
import type { FastifyInstance } from 'fastify'

const IDLE_CHECK_INTERVAL_MS = 50
/** How long calls that were told to end have for telling their callers. */
const LAST_WORDS_MS = 1_000

/**
 * Closes an HTTP server: stops accepting, lets running requests end within `drainMs`, then calls
 * `endCalls` with what to tell their callers, and soon closes whatever connection is still there.
 */
export async function closeWithin(
  app: FastifyInstance,
  drainMs: number,
  endCalls: (reason: ConnectError) => void,
): Promise<void> {
  const { server } = app
  // An answer that began before leaves its connection open for a next request, which nobody would
  // wait for.
  const idleCheck = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_INTERVAL_MS)
  let lastWords: NodeJS.Timeout | undefined
  const deadline = setTimeout(() => {
    endCalls(new ConnectError('the server is shutting down', Code.Unavailable))
    lastWords = setTimeout(() => server.closeAllConnections(), LAST_WORDS_MS)
  }, drainMs)
  try {
    await app.close()
  } finally {
    clearInterval(idleCheck)
    clearTimeout(deadline)
    clearTimeout(lastWords)
  }
}
