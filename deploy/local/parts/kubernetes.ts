import { join } from 'node:path'
import { stopDaemon } from '../process/daemon.ts'
import { daemonStatuses } from '../process/daemon-status.ts'
import { applyManifests, deployerRights, localAddons } from '../kubernetes/addons.ts'
import { removeCgroup, ensureCgroup } from '../kubernetes/node/cgroups.ts'
import { startClusterAgent } from '../kubernetes/agent/cluster-agent.ts'
import { startContainerd } from '../kubernetes/node/containerd.ts'
import {
  CONTROL_PLANE_DAEMONS,
  controllersWork,
  startControlPlane,
  stopControlPlane,
} from '../kubernetes/control-plane/control-plane.ts'
import { writeDeployerKubeconfig } from '../kubernetes/deployer-kubeconfig.ts'
import { startDns } from '../kubernetes/network/dns.ts'
import { addresses, clusterPaths, ports } from '../kubernetes/layout.ts'
import { startNetworkPolicies } from '../kubernetes/network/policies.ts'
import { startNode } from '../kubernetes/node/node.ts'
import { stopContainers, stopKubelet } from '../kubernetes/node/stop-node.ts'
import { markPodsStopped } from '../kubernetes/node/mark-pods-stopped.ts'
import type { Part } from '../stack/part.ts'
import { giveToOwner } from '../kubernetes/owner.ts'
import { ensureDirectory } from '../stack/stack.ts'
import type { Stack } from '../stack/stack.ts'
import { buildTool } from '../install/toolchain.ts'

const DAEMONS = [
  'cluster-agent',
  'network-policies',
  'coredns',
  'kube-proxy',
  'kubelet',
  'containerd',
  ...CONTROL_PLANE_DAEMONS,
]

/** The Kubernetes cluster: the stack's own single node, or the one that `up --kubeconfig` names. */
export const kubernetesPart: Part = {
  name: 'kubernetes',
  needs: ['network', 'registry'],
  ports: (stack) => (stack.settings.kubeconfig === undefined ? claims : []),

  async up(stack, log) {
    const paths = clusterPaths(stack)
    const programs = await buildTool(stack, 'kubernetes', log)
    const kubectl = join(programs, 'kubectl')
    const external = stack.settings.kubeconfig
    ensureDirectory(stack, join(stack.stateDir, 'kubernetes'), 0o755)
    if (external === undefined) {
      await startOwnCluster(stack, programs, log)
      giveToOwner(stack, paths.adminKubeconfig)
    } else {
      await applyManifests({ kubectl, kubeconfig: external, cache: paths.kubectlCache }, [
        deployerRights(stack),
      ])
    }
    const adminKubeconfig = external ?? paths.adminKubeconfig
    await startClusterAgent(stack, kubectl)
    await writeDeployerKubeconfig(stack, kubectl, adminKubeconfig)
    return { KUBECONFIG: adminKubeconfig, DEPLOYER_KUBECONFIG: paths.deployerKubeconfig }
  },

  async down(stack) {
    await stopDaemon(stack, 'cluster-agent')
    await stopDaemon(stack, 'coredns')
    await stopKubelet(stack)
    await markPodsStopped(stack)
    await Promise.all([stopContainers(stack), stopControlPlane(stack)])
    await stopDaemon(stack, 'network-policies')
    removeCgroup(stack.cgroup)
  },

  async status(stack) {
    const external = stack.settings.kubeconfig
    if (external === undefined) return daemonStatuses(stack, DAEMONS)
    return [
      { name: 'kubernetes', state: 'external', detail: external },
      ...daemonStatuses(stack, ['cluster-agent']),
    ]
  },
}

async function startOwnCluster(
  stack: Stack,
  programs: string,
  log: (line: string) => void,
): Promise<void> {
  const pauseDirectory = await buildTool(stack, 'pause', log)
  const dnsDirectory = await buildTool(stack, 'coredns', log)
  ensureCgroup(stack.cgroup)
  const controlPlane = startControlPlane({
    stateDir: join(stack.stateDir, 'kubernetes'),
    runDir: stack.runDir,
    programs,
    address: addresses.node,
    advertisedAddress: addresses.node,
    ports,
    services: addresses.services,
    apiService: addresses.apiService,
    scheduler: true,
  })
  const [plane] = await Promise.all([controlPlane, startContainerd(stack, pauseDirectory)])
  const access = {
    kubectl: join(programs, 'kubectl'),
    kubeconfig: plane.adminKubeconfig,
    cache: clusterPaths(stack).kubectlCache,
  }
  const addons = applyManifests(access, [deployerRights(stack), localAddons(stack)])
  await Promise.all([
    addons,
    startNode(stack, programs, plane.client),
    addons.then(async () => await startDns(stack, dnsDirectory)),
    addons.then(async () => await startNetworkPolicies(stack, programs)),
    controllersWork(plane, stack),
  ])
}

const claims = [
  { host: '127.0.0.1', port: ports.etcd, daemon: 'etcd' },
  { host: '127.0.0.1', port: ports.etcdPeer, daemon: 'etcd' },
  { host: addresses.node, port: ports.api, daemon: 'kube-apiserver' },
  { host: addresses.node, port: ports.kubelet, daemon: 'kubelet' },
  { host: '127.0.0.1', port: ports.kubeletHealth, daemon: 'kubelet' },
  { host: '127.0.0.1', port: ports.proxyHealth, daemon: 'kube-proxy' },
  { host: '127.0.0.1', port: ports.proxyMetrics, daemon: 'kube-proxy' },
  { host: addresses.node, port: ports.dns, daemon: 'coredns' },
  { host: '127.0.0.1', port: ports.dnsReady, daemon: 'coredns' },
]
