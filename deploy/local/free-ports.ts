import { once } from 'node:events'
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Above what is well known and below what the kernel hands out itself: a port that it has given once and got back it may
 * give to anybody, before the server that it was meant for listens.
 */
const range = { from: 15_000, to: 29_999 }

/** Ports of 127.0.0.1 on which nobody listens, for servers that can't choose their own. */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>()
  while (found.size < count) {
    const port = randomInt(range.from, range.to + 1)
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
  probe.close()
  await once(probe, 'close')
  return true
}
