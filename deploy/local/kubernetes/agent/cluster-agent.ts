import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isDaemonAlive, startDaemon, waitUntil } from '../../process/daemon.ts'
import type { Stack } from '../../stack/stack.ts'
import { clusterPaths } from '../layout.ts'

/** Starts the cluster agent (see main.ts) and waits until it has fetched the deployer's token. */
export async function startClusterAgent(stack: Stack, kubectl: string): Promise<void> {
  const paths = clusterPaths(stack)
  const external = stack.settings.kubeconfig
  if (!isDaemonAlive(stack, 'cluster-agent')) rmSync(paths.deployerToken, { force: true })
  const kubeconfig = external ?? join(stack.stateDir, 'kubernetes/cluster-agent.kubeconfig')
  const args = [
    '--kubectl',
    kubectl,
    '--kubeconfig',
    kubeconfig,
    '--token-file',
    paths.deployerToken,
  ]
  if (stack.owner) args.push('--owner', `${stack.owner.uid}:${stack.owner.gid}`)
  if (external === undefined) {
    mkdirSync(paths.volumes, { recursive: true, mode: 0o711 })
    args.push('--volumes', paths.volumes)
  }
  const program = join(stack.checkout, 'deploy/local/kubernetes/agent/main.ts')
  await startDaemon(stack, {
    name: 'cluster-agent',
    command: process.execPath,
    args: [program, ...args],
  })
  await waitUntil('the deployer has a token', () => existsSync(paths.deployerToken), {
    timeoutMs: 30_000,
    daemon: 'cluster-agent',
    stack,
  })
}
