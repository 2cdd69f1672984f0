import { join } from 'node:path'
import type { Stack } from '../stack/stack.ts'

/** Addresses of the local cluster. None of them ever leaves the machine. */
export const addresses = {
  /** The node's address, put on `lo`: what runs on the host is reached there by pods. */
  node: '10.240.0.1',
  services: '10.96.0.0/16',
  apiService: '10.96.0.1',
  pods: '10.244.0.0/16',
  nodePods: '10.244.0.0/24',
  /** The bridge's own address: where pods see the host's calls come from. */
  bridge: '10.244.0.1',
} as const

/** Ports that the cluster's processes listen on, on 127.0.0.1 or the node's address. */
export const ports = {
  api: 6443,
  etcd: 2379,
  etcdPeer: 2380,
  kubelet: 10250,
  kubeletHealth: 10248,
  proxyHealth: 10256,
  proxyMetrics: 10249,
  dns: 53,
  dnsReady: 8181,
  registry: 5000,
} as const

/** The only node's name. */
export const nodeName = 'slipway'

/** The bridge that pods hang on. */
export const bridgeName = 'cni0'

/** Where the local cluster keeps what it keeps. */
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
  /** The deployer's kubeconfig, which names `deployerToken`. */
  readonly deployerKubeconfig: string
  readonly deployerToken: string
  readonly containerdState: string
  readonly containerdSocket: string
  /**
   * Stands in for the machine's own /run/containerd, /var/lib/cni and the like, see
   * mount-namespace.ts.
   */
  readonly machine: string
}

/**
 * The cluster's files: data and credentials in the state directory, the rest in the run directory.
 */
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
    machine: join(stack.runDir, 'machine'),
  }
}
