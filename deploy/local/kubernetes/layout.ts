import { join } from 'node:path'
import type { Stack } from '../stack/stack.ts'

/** Addresses of the local cluster. They are used on this machine only. */
export const addresses = {
  /** The node's address, on the interface `lo`. Pods use it to reach the host's processes. */
  node: '10.240.0.1',
  services: '10.96.0.0/16',
  apiService: '10.96.0.1',
  pods: '10.244.0.0/16',
  nodePods: '10.244.0.0/24',
  /** The bridge's address, from which the host connects to pods. */
  bridge: '10.244.0.1',
} as const

/** Ports of the cluster's processes, on 127.0.0.1 or the node's address. */
export const ports = {
  api: 6443,
  etcd: 2379,
  etcdPeer: 2380,
  kubelet: 10250,
  kubeletHealth: 10248,
  metrics: 4443,
  proxyHealth: 10256,
  proxyMetrics: 10249,
  dns: 53,
  dnsReady: 8181,
  registry: 5000,
} as const

/** The name of the only node. */
export const NODE_NAME = 'slipway'

/** The bridge that connects pods. */
export const BRIDGE_NAME = 'cni0'

/** The queue in which the kernel asks whether network policies allow a pod's connection. */
export const POLICY_QUEUE = 30

/** The bit of a packet's mark that says that no policy allows its connection. */
export const REFUSED_MARK = 0x800_0000

/** The files and directories of the local cluster. */
export interface ClusterPaths {
  /** Certificates, keys and kubeconfigs. */
  readonly credentials: string
  readonly config: string
  readonly kubectlCache: string
  readonly etcd: string
  readonly images: string
  readonly kubelet: string
  readonly podLogs: string
  readonly volumes: string
  /** The administrator's kubeconfig. */
  readonly adminKubeconfig: string
  /** The deployer's kubeconfig, which refers to `deployerToken`. */
  readonly deployerKubeconfig: string
  readonly deployerToken: string
  readonly containerdState: string
  readonly containerdSocket: string
  /** Has a file for each pod's address, which says whose it is. */
  readonly podAddresses: string
  /** Replaces /run/containerd, /var/lib/cni and others; see node/mount-namespace.ts. */
  readonly machine: string
}

/** Returns the cluster's paths: data and credentials in the state directory, the rest in runDir. */
export function clusterPaths(stack: Pick<Stack, 'stateDir' | 'runDir'>): ClusterPaths {
  const state = join(stack.stateDir, 'kubernetes')
  return {
    credentials: join(state, 'credentials'),
    config: join(stack.runDir, 'kubernetes'),
    kubectlCache: join(stack.runDir, 'kubectl'),
    etcd: join(state, 'etcd'),
    images: join(state, 'containerd'),
    kubelet: join(state, 'kubelet'),
    podLogs: join(state, 'pod-logs'),
    volumes: join(stack.stateDir, 'volumes'),
    adminKubeconfig: join(state, 'admin.kubeconfig'),
    deployerKubeconfig: join(state, 'deployer.kubeconfig'),
    deployerToken: join(state, 'deployer.token'),
    containerdState: join(stack.runDir, 'containerd'),
    containerdSocket: join(stack.runDir, 'containerd.sock'),
    podAddresses: join(stack.runDir, 'pod-addresses'),
    machine: join(stack.runDir, 'machine'),
  }
}
