import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Above the well-known ports and below the kernel's ephemeral ports. Another process could take an
 * ephemeral port before the test's server listens on it, or while that server restarts.
 */
const FIRST = 15_000
/** Ports that one test worker hands out. Workers run side by side and must not share any. */
const PER_WORKER = 500
/** Workers of a process of vitest; `./dev test` runs two processes side by side. */
const WORKERS = 15

let handedOut = 0

/** Finds free ports of the loopback address, for servers that keep their port over a restart. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const worker = Number(process.env['VITEST_POOL_ID'] ?? 0) % WORKERS
  const before = Number(process.env['SLIPWAY_TEST_PROCESS'] ?? 0) * WORKERS
  const first = FIRST + (before + worker) * PER_WORKER
  const found: number[] = []
  while (found.length < count) {
    const port = first + (handedOut++ % PER_WORKER)
    if (await isFree(port)) found.push(port)
  }
  return found
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
