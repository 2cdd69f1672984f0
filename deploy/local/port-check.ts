import { once } from 'node:events'
import { createServer } from 'node:net'
import { isDaemonAlive } from './daemon.ts'
import type { Part, PortClaim } from './part.ts'
import type { Stack } from './stack.ts'

/** Fails with the name of every port that somebody else holds, before anything is started. */
export async function checkPorts(parts: readonly Part[], stack: Stack): Promise<void> {
  const claims = parts.flatMap((part) => (part.ports?.(stack) ?? []).map((claim) => ({ ...claim, part: part.name })))
  const foreign = claims.filter(({ daemon }) => !isDaemonAlive(stack, daemon))
  const taken: string[] = []
  for (const claim of foreign) {
    if (await isTaken(claim)) taken.push(`  port ${claim.port} on ${claim.host} (${claim.daemon}, part ${claim.part})`)
  }
  if (taken.length === 0) return
  const advice = `See who has them with \`ss -ltnp\`. The gateway's own can be chosen: --port.`
  throw new Error(`these ports are taken by other programs:\n${taken.join('\n')}\n${advice}`)
}

async function isTaken({ host, port }: PortClaim): Promise<boolean> {
  const server = createServer()
  try {
    server.listen({ host, port, exclusive: true })
    await once(server, 'listening')
    return false
  } catch (error) {
    // Other errors are no conflict: the node's address, for one, exists only once the network part is up.
    return (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}
