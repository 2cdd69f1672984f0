import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startDaemon, waitUntil } from '../../process/daemon.ts'
import type { Stack } from '../../stack/stack.ts'
import type { ApiClient, ApiObject } from '../client.ts'
import { addresses, clusterPaths, NODE_NAME, ports } from '../layout.ts'
import { inMountNamespace } from './mount-namespace.ts'
import { writeIfChanged } from '../write-if-changed.ts'

interface Node extends ApiObject {
  readonly status?: {
    readonly conditions?: readonly { type: string; status: string; lastHeartbeatTime: string }[]
  }
}

/** Starts kubelet and kube-proxy unless they are running, and returns when the node is ready. */
export async function startNode(stack: Stack, programs: string, client: ApiClient): Promise<void> {
  const paths = clusterPaths(stack)
  for (const directory of [paths.kubelet, paths.podLogs]) mkdirSync(directory, { recursive: true })
  const state = join(stack.stateDir, 'kubernetes')

  const proxyConfig = join(paths.config, 'kube-proxy.json')
  writeIfChanged(proxyConfig, proxyConfiguration(join(state, 'kube-proxy.kubeconfig')))
  const proxy = {
    name: 'kube-proxy',
    command: join(programs, 'kube-proxy'),
    args: [`--config=${proxyConfig}`],
  }
  await startDaemon(stack, proxy)

  const kubeletConfig = join(paths.config, 'kubelet.json')
  writeIfChanged(kubeletConfig, kubeletConfiguration(stack))
  writeIfChanged(join(paths.config, 'resolv.conf'), '# pods use the cluster DNS only\n')
  const [command = '', ...args] = inMountNamespace(stack, [
    join(programs, 'kubelet'),
    `--config=${kubeletConfig}`,
    `--kubeconfig=${join(state, 'kubelet.kubeconfig')}`,
    `--root-dir=${paths.kubelet}`,
    `--hostname-override=${NODE_NAME}`,
    `--node-ip=${addresses.node}`,
  ])
  const startTime = Date.now()
  const { started } = await startDaemon(stack, { name: 'kubelet', command, args })
  const ready = async () =>
    started ? await isReadySince(client, startTime) : await isReadySince(client, 0)
  await waitUntil('the node is ready', ready, { timeoutMs: 90_000, daemon: 'kubelet', stack })
}

/**
 * Whether the node has reported since `time` that it is ready. Older reports in etcd don't count.
 */
async function isReadySince(client: ApiClient, time: number): Promise<boolean> {
  try {
    const node = (await client.call('GET', `/api/v1/nodes/${NODE_NAME}`)) as Node
    const ready = node.status?.conditions?.find((condition) => condition.type === 'Ready')
    // Heartbeat times are in whole seconds.
    return ready?.status === 'True' && Date.parse(ready.lastHeartbeatTime) >= time - 999
  } catch {
    return false
  }
}

/** Returns kubelet's configuration, as JSON, which is valid YAML. */
export function kubeletConfiguration(stack: Pick<Stack, 'stateDir' | 'runDir' | 'cgroup'>): string {
  const paths = clusterPaths(stack)
  const credential = (name: string) => join(paths.credentials, name)
  return json({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    containerRuntimeEndpoint: `unix://${paths.containerdSocket}`,
    failCgroupV1: false,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: stack.cgroup,
    enforceNodeAllocatable: [],
    failSwapOn: false,
    podLogsDir: paths.podLogs,
    volumePluginDir: join(paths.kubelet, 'volume-plugins'),
    address: addresses.node,
    port: ports.kubelet,
    readOnlyPort: 0,
    healthzBindAddress: '127.0.0.1',
    healthzPort: ports.kubeletHealth,
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: credential('ca.crt') },
    },
    authorization: { mode: 'Webhook' },
    tlsCertFile: credential('kubelet-serving.crt'),
    tlsPrivateKeyFile: credential('kubelet-serving.key'),
    clusterDNS: [addresses.node],
    clusterDomain: 'cluster.local',
    resolvConf: join(paths.config, 'resolv.conf'),
    serializeImagePulls: false,
    // A developer's disk is often almost full. That must not evict images or pods.
    imageGCHighThresholdPercent: 100,
    evictionHard: {
      'memory.available': '100Mi',
      'nodefs.available': '1%',
      'imagefs.available': '1%',
    },
    nodeStatusUpdateFrequency: '5s',
    syncFrequency: '10s',
  })
}

/** Returns kube-proxy's configuration: iptables, without changes to kernel settings. */
export function proxyConfiguration(kubeconfig: string): string {
  return json({
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    clientConnection: { kubeconfig },
    mode: 'iptables',
    hostnameOverride: NODE_NAME,
    clusterCIDR: addresses.pods,
    bindAddress: addresses.node,
    nodePortAddresses: [`${addresses.node}/32`],
    healthzBindAddress: `127.0.0.1:${ports.proxyHealth}`,
    metricsBindAddress: `127.0.0.1:${ports.proxyMetrics}`,
    conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
    iptables: { minSyncPeriod: '100ms', syncPeriod: '30s', localhostNodePorts: false },
  })
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
