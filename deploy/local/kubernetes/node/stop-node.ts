import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { stopDaemon } from '../../process/daemon.ts'
import { isProcessAlive, processStartTime } from '../../process/process-table.ts'
import type { Stack } from '../../stack/stack.ts'
import { cgroupProcesses } from './cgroups.ts'
import { clusterPaths } from '../layout.ts'
import { shimProcesses } from './mount-namespace.ts'

/** How long containers may take to stop before they are killed. */
const CONTAINER_GRACE_MS = 2_000

/** Stops kubelet, which would restart containers, and kube-proxy. */
export async function stopKubelet(stack: Stack): Promise<void> {
  await Promise.all([stopDaemon(stack, 'kubelet'), stopDaemon(stack, 'kube-proxy')])
}

/**
 * Stops all containers and containerd. The node's mount namespace ends with its last process, and
 * with it all mounts and network namespaces of pods.
 */
export async function stopContainers(stack: Stack): Promise<void> {
  await endProcesses(() => cgroupProcesses(stack.cgroup), 'SIGTERM', CONTAINER_GRACE_MS)
  await endProcesses(() => cgroupProcesses(stack.cgroup), 'SIGKILL', 5_000)
  await stopDaemon(stack, 'containerd')
  await endProcesses(() => shimProcesses(stack), 'SIGKILL', 5_000)
  const paths = clusterPaths(stack)
  for (const directory of [paths.machine, paths.containerdState])
    rmSync(directory, { recursive: true, force: true })
}

/** Signals each process that `find` returns once, until none is left or `timeoutMs` has passed. */
async function endProcesses(
  find: () => number[],
  signal: NodeJS.Signals,
  timeoutMs: number,
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  const signalled = new Set<string>()
  for (;;) {
    const alive = find().flatMap((pid) => {
      const startTime = processStartTime(pid)
      return startTime !== undefined && isProcessAlive({ pid, startTime })
        ? [{ pid, startTime }]
        : []
    })
    if (alive.length === 0 || performance.now() > deadline) return
    for (const { pid, startTime } of alive) {
      if (signalled.has(`${pid} ${startTime}`)) continue
      signalled.add(`${pid} ${startTime}`)
      try {
        process.kill(pid, signal)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    }
    await sleep(20)
  }
}
