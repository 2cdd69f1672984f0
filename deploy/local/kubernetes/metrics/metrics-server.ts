import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { get } from 'node:https'
import { join } from 'node:path'
import { startDaemon, waitUntil } from '../../process/daemon.ts'
import type { Stack } from '../../stack/stack.ts'
import { addresses, clusterPaths, ports } from '../layout.ts'
import { METRICS_HOST } from './metrics-api.ts'

/** The daemon that answers `kubectl top` and autoscalers. */
export const METRICS_SERVER = 'metrics-server'

/** Starts metrics-server on the node's address and returns when it answers. */
export async function startMetricsServer(stack: Stack, directory: string): Promise<void> {
  await startDaemon(stack, {
    name: METRICS_SERVER,
    command: join(directory, METRICS_SERVER),
    args: metricsServerArguments(stack),
  })
  const authority = readFileSync(join(clusterPaths(stack).credentials, 'ca.crt'))
  await waitUntil('metrics-server answers', async () => await isLive(authority), {
    timeoutMs: 60_000,
    daemon: METRICS_SERVER,
    stack,
  })
}

/**
 * Returns metrics-server's arguments. Kubelet and the API server know it by the certificate in its
 * kubeconfig, and it verifies theirs.
 */
export function metricsServerArguments(stack: Pick<Stack, 'stateDir' | 'runDir'>): string[] {
  const kubeconfig = join(stack.stateDir, 'kubernetes', `${METRICS_SERVER}.kubeconfig`)
  const credential = (name: string) => join(clusterPaths(stack).credentials, name)
  return [
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    `--bind-address=${addresses.node}`,
    `--secure-port=${ports.metrics}`,
    `--tls-cert-file=${credential('metrics-server-serving.crt')}`,
    `--tls-private-key-file=${credential('metrics-server-serving.key')}`,
    '--kubelet-preferred-address-types=InternalIP',
    '--kubelet-use-node-status-port',
    // The shortest that it accepts: autoscalers see a change as early as possible.
    '--metric-resolution=10s',
    '--kubelet-request-timeout=5s',
  ]
}

/** Whether metrics-server answers its health check, which needs no credentials. */
async function isLive(authority: Buffer): Promise<boolean> {
  const sent = get({
    host: addresses.node,
    port: ports.metrics,
    path: '/livez',
    ca: authority,
    servername: METRICS_HOST,
    signal: AbortSignal.timeout(1000),
  })
  try {
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    answer.resume()
    return answer.statusCode === 200
  } catch {
    return false
  }
}
