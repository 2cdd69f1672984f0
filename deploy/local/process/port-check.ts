import { once } from 'node:events'
import { createServer } from 'node:net'
import { isDaemonAlive } from './daemon.ts'
import type { Part, PortClaim } from '../stack/part.ts'
import type { Stack } from '../stack/stack.ts'

/** Throws an error that lists all ports of the parts on which other programs listen. */
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
  const advice = [
    'Find the programs with `ss -ltnp`. To use other ports for the gateway or the ingress',
    'controller, run `./dev up --port N` or `./dev up --ingress-port N`.',
  ]
  throw new Error(['other programs listen on these ports:', ...taken, ...advice].join('\n'))
}

// No program binds to this address on purpose, so its port is in use only if a program listens on
// all addresses.
const UNUSED_ADDRESS = '127.240.0.1'

async function isTaken({ host, port }: Pick<PortClaim, 'host' | 'port'>): Promise<boolean> {
  const server = createServer()
  try {
    server.listen({ host, port, exclusive: true })
    await once(server, 'listening')
    return false
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // The node's address doesn't exist before the network part is up, so only a program that
    // listens on all addresses can be in the way.
    if (code === 'EADDRNOTAVAIL') return await isTaken({ host: UNUSED_ADDRESS, port })
    return code === 'EADDRINUSE'
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}
