import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Above well-known ports and below the ephemeral ports of the kernel, which could give one to
 * another process before its server listens, or while the server restarts.
 */
const RANGE = { from: 15_000, to: 29_999 }

/** Finds free ports of the loopback address, for servers that keep their port over a restart. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const found = new Set<number>()
  while (found.size < count) {
    const port = randomInt(RANGE.from, RANGE.to + 1)
    if (await isFree(port)) found.add(port)
  }
  return [...found]
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening')
  } catch {
    return false
  }
  await once(probe.close(), 'close')
  return true
}
