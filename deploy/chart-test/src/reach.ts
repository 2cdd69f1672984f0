import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Something that NetworkPolicies close to a pod. */
export interface Target {
  readonly what: string
  readonly host: string
  readonly port: number
}

const ATTEMPTS = 3
const PAUSE_MS = 5_000
const TIMEOUT_MS = 5_000

/**
 * Connects to the targets, and returns those that it reached. Tries these again
 * after a pause, because some networks leave a new pod open until they know its policies.
 */
export async function reachedOf(
  targets: readonly Target[],
  pauseMs = PAUSE_MS,
): Promise<readonly Target[]> {
  let reached = targets
  for (let attempt = 0; attempt < ATTEMPTS && reached.length > 0; attempt += 1) {
    if (attempt > 0) await sleep(pauseMs)
    const open = await Promise.all(reached.map(isOpen))
    reached = reached.filter((_, index) => open[index])
  }
  return reached
}

async function isOpen({ host, port }: Target): Promise<boolean> {
  const socket = connect({ host, port, timeout: TIMEOUT_MS })
  return await new Promise((resolve) => {
    const end = (result: boolean) => {
      socket.destroy()
      resolve(result)
    }
    // Node.js also emits `connect` when an ICMP error arrives while the kernel connects; the error
    // follows.
    socket.once('connect', () => {
      if (socket.remoteAddress !== undefined) end(true)
    })
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })
}
