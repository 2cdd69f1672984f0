import { once } from 'node:events'
import { createServer } from 'node:net'
import { isDaemonAlive } from './daemon.ts'
import type { Part, PortClaim } from '../stack/part.ts'
import type { Stack } from '../stack/stack.ts'

/** Fails with the name of every port that somebody else holds, before anything is started. */
export async function checkPorts(parts: readonly Part[], stack: Stack): Promise<void> {
  const claims = parts.flatMap((part) =>
    (part.ports?.(stack) ?? []).map((claim) => ({ ...claim, part: part.name })),
  )
  const foreign = claims.filter(({ daemon }) => !isDaemonAlive(stack, daemon))
  const taken: string[] = []
  for (const claim of foreign) {
    if (await isTaken(claim))
      taken.push(`  port ${claim.port} on ${claim.host} (${claim.daemon}, part ${claim.part})`)
  }
  if (taken.length === 0) return
  const advice = `See who has them with \`ss -ltnp\`. The gateway's and the ingress controller's can be chosen: --port, --ingress-port.`
  throw new Error(`these ports are taken by other programs:\n${taken.join('\n')}\n${advice}`)
}

// An address that nobody binds to on purpose: only those who listen on every address hold its
// ports.
const unusedAddress = '127.240.0.1'

async function isTaken({ host, port }: Pick<PortClaim, 'host' | 'port'>): Promise<boolean> {
  const server = createServer()
  try {
    server.listen({ host, port, exclusive: true })
    await once(server, 'listening')
    return false
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // The node's address exists only once the network part is up, and is nobody's until then but by
    // "all addresses".
    if (code === 'EADDRNOTAVAIL') return await isTaken({ host: unusedAddress, port })
    return code === 'EADDRINUSE'
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}
