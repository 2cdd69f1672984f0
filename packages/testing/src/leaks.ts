import { waitFor } from './wait-for.ts'

/** The resources that are checked. Timers aren't included, because the test runner has its own. */
const WATCHED = ['PipeWrap', 'ProcessWrap', 'TCPServerWrap', 'TCPSocketWrap', 'UDPWrap']

/**
 * Fails at the end of its scope if sockets, servers or child processes that were opened in it are
 * still open: `await using _ = assertNoLeaks()`.
 */
export function assertNoLeaks(): AsyncDisposable {
  const before = countResources()
  return {
    async [Symbol.asyncDispose]() {
      const leaked = (): string[] =>
        [...countResources()]
          .filter(([kind, count]) => count > (before.get(kind) ?? 0))
          .map(([kind]) => kind)
      // Sockets close a moment after they are destroyed.
      await waitFor(() => leaked().length === 0, {
        what: 'every socket, server and child process to be closed',
      }).catch((error: unknown) => {
        throw new Error(`left open: ${leaked().join(', ')}`, { cause: error })
      })
    },
  }
}

function countResources(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) {
    if (WATCHED.includes(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return counts
}
