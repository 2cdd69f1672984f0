import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startDaemon, waitUntil } from '../../process/daemon.ts'
import type { Stack } from '../../stack/stack.ts'
import { clusterPaths, POLICY_QUEUE, REFUSED_MARK } from '../layout.ts'

/** Starts the program that enforces network policies, and returns when it answers the kernel. */
export async function startNetworkPolicies(stack: Stack, programs: string): Promise<void> {
  const name = 'network-policies'
  await startDaemon(stack, {
    name,
    command: join(programs, name),
    args: [
      `--kubeconfig=${join(stack.stateDir, 'kubernetes', `${name}.kubeconfig`)}`,
      `--addresses=${clusterPaths(stack).podAddresses}`,
      `--queue=${POLICY_QUEUE}`,
      `--refused-mark=${REFUSED_MARK}`,
    ],
  })
  const condition = 'network policies are enforced'
  await waitUntil(condition, hasQueue, { timeoutMs: 30_000, daemon: name, stack })
}

/** Whether a program listens to the queue. It has read all policies before. */
function hasQueue(): boolean {
  const queues = readFileSync('/proc/net/netfilter/nfnetlink_queue', 'utf8').split('\n')
  return queues.some((line) => Number(line.trim().split(/\s+/)[0]) === POLICY_QUEUE)
}
