import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Above what is well known and below what the kernel hands out by itself: a port of its own it may
 * give to anybody else before the server that it was found for listens, or while that is being
 * restarted.
 */
const RANGE = { from: 15_000, to: 29_999 }

/** Ports of the loopback address on which nobody listens, for servers that are to keep theirs. */
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
