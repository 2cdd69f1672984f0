import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startDaemon, stopDaemon, waitUntil } from '../../process/daemon.ts'
import { createApiClient } from '../client.ts'
import type { ApiClient } from '../client.ts'
import { ensureCredentials, FRONT_PROXY } from './credentials.ts'
import { NODE_NAME } from '../layout.ts'

/** The directories, addresses and ports of a control plane. */
export interface ControlPlaneOptions {
  /** Credentials and etcd's data. */
  readonly stateDir: string
  /** Process ids and logs. */
  readonly runDir: string
  /** The directory with the programs; see `buildTool`. */
  readonly programs: string
  /** Address that the API server listens on. */
  readonly address: string
  /** Address that pods use; Kubernetes refuses a loopback address. */
  readonly advertisedAddress: string
  readonly ports: { readonly api: number; readonly etcd: number; readonly etcdPeer: number }
  readonly services: string
  readonly apiService: string
  /** Whether to start a scheduler, which is useless without nodes. */
  readonly scheduler: boolean
  /** For tests: whether the processes are killed when the starting process ends. */
  readonly endsWithStarter?: boolean
}

/** The processes of a control plane, in the order in which they are stopped. */
export const CONTROL_PLANE_DAEMONS = [
  'kube-scheduler',
  'kube-controller-manager',
  'kube-apiserver',
  'etcd',
] as const

/** A running control plane. */
export interface ControlPlane {
  readonly adminKubeconfig: string
  readonly client: ApiClient
}

/**
 * Starts etcd, the API server, the controller manager and (with nodes) the scheduler, unless they
 * are running. The API server is ready when this returns; `controllersWork` waits for the
 * controllers.
 */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  mkdirSync(options.runDir, { recursive: true })
  const apiPort = options.ports.api
  await ensureCredentials({ directory: options.stateDir, nodeName: NODE_NAME, apiPort, ...options })
  const start = async (name: string, args: readonly string[]) => {
    const program = join(options.programs, name)
    const tied = { name, command: 'setpriv', args: ['--pdeathsig', 'KILL', '--', program, ...args] }
    await startDaemon(options, options.endsWithStarter ? tied : { name, command: program, args })
  }
  await start('etcd', etcdArguments(options))
  await start('kube-apiserver', apiServerArguments(options))
  const adminKubeconfig = join(options.stateDir, 'admin.kubeconfig')
  const client = createApiClient(adminKubeconfig)
  await waitUntil('the API server is ready', async () => await client.isOk('/readyz'), {
    timeoutMs: 90_000,
    daemon: 'kube-apiserver',
    stack: options,
  })
  // Both exit if they are rejected for ten seconds, so the API server must have created their
  // roles.
  await start('kube-controller-manager', controllerManagerArguments(options))
  if (options.scheduler) {
    const kubeconfig = join(options.stateDir, 'kube-scheduler.kubeconfig')
    await start('kube-scheduler', [
      `--kubeconfig=${kubeconfig}`,
      '--leader-elect=false',
      '--secure-port=0',
    ])
  }
  return { adminKubeconfig, client }
}

/** Waits until the controllers work, which is seconds after the API server is ready. */
export async function controllersWork(
  plane: ControlPlane,
  place: { readonly runDir: string },
): Promise<void> {
  const made = ['serviceaccounts/default', 'configmaps/kube-root-ca.crt']
  const check = async () => {
    const found = await Promise.all(
      made.map((each) => plane.client.isOk(`/api/v1/namespaces/default/${each}`)),
    )
    return found.every(Boolean)
  }
  await waitUntil('the controllers work', check, {
    timeoutMs: 60_000,
    daemon: 'kube-controller-manager',
    stack: place,
  })
}

/** Stops the processes that `startControlPlane` started; their data stays. */
export async function stopControlPlane(place: { readonly runDir: string }): Promise<void> {
  const [scheduler, controllers, api, etcd] = CONTROL_PLANE_DAEMONS
  await Promise.all([stopDaemon(place, scheduler), stopDaemon(place, controllers)])
  // The data is in etcd, so killing an API server that waits for open watches loses nothing.
  await stopDaemon(place, api, { graceMs: 5_000 })
  await stopDaemon(place, etcd)
}

function etcdArguments({ stateDir, ports }: ControlPlaneOptions): string[] {
  const url = `https://127.0.0.1:${ports.etcd}`
  const peer = `http://127.0.0.1:${ports.etcdPeer}`
  const file = (name: string) => join(stateDir, 'credentials', name)
  return [
    '--name=default',
    `--data-dir=${join(stateDir, 'etcd')}`,
    // Syncing to disk takes seconds. A power failure may lose the last writes, which is acceptable
    // for a cluster on a developer's machine.
    '--unsafe-no-fsync',
    '--log-level=warn',
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    '--auto-compaction-mode=periodic',
    '--auto-compaction-retention=30m',
    '--client-cert-auth',
    `--trusted-ca-file=${file('ca.crt')}`,
    `--cert-file=${file('etcd.crt')}`,
    `--key-file=${file('etcd.key')}`,
  ]
}

function apiServerArguments(options: ControlPlaneOptions): string[] {
  const file = (name: string) => join(options.stateDir, 'credentials', name)
  const frontProxy = (name: string) => join(options.stateDir, 'front-proxy', name)
  return [
    `--etcd-servers=https://127.0.0.1:${options.ports.etcd}`,
    `--etcd-cafile=${file('ca.crt')}`,
    `--etcd-certfile=${file('etcd-client.crt')}`,
    `--etcd-keyfile=${file('etcd-client.key')}`,
    `--bind-address=${options.address}`,
    `--advertise-address=${options.advertisedAddress}`,
    `--secure-port=${options.ports.api}`,
    `--service-cluster-ip-range=${options.services}`,
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction',
    // For test-run/pods.yaml.
    '--feature-gates=MutatingAdmissionPolicy=true',
    '--runtime-config=admissionregistration.k8s.io/v1beta1=true',
    `--client-ca-file=${file('ca.crt')}`,
    `--tls-cert-file=${file('apiserver.crt')}`,
    `--tls-private-key-file=${file('apiserver.key')}`,
    `--kubelet-client-certificate=${file('apiserver-kubelet-client.crt')}`,
    `--kubelet-client-key=${file('apiserver-kubelet-client.key')}`,
    `--kubelet-certificate-authority=${file('ca.crt')}`,
    '--kubelet-preferred-address-types=InternalIP',
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    `--service-account-key-file=${file('service-accounts.pub')}`,
    `--service-account-signing-key-file=${file('service-accounts.key')}`,
    // For aggregated APIs, which are called at their addresses, not by the Service.
    '--enable-aggregator-routing=true',
    `--proxy-client-cert-file=${frontProxy(`${FRONT_PROXY}.crt`)}`,
    `--proxy-client-key-file=${frontProxy(`${FRONT_PROXY}.key`)}`,
    `--requestheader-client-ca-file=${frontProxy('ca.crt')}`,
    `--requestheader-allowed-names=${FRONT_PROXY}`,
    '--requestheader-username-headers=X-Remote-User',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    '--profiling=false',
  ]
}

function controllerManagerArguments({ stateDir }: ControlPlaneOptions): string[] {
  const file = (name: string) => join(stateDir, 'credentials', name)
  return [
    `--kubeconfig=${join(stateDir, 'kube-controller-manager.kubeconfig')}`,
    '--leader-elect=false',
    '--secure-port=0',
    '--use-service-account-credentials=true',
    `--service-account-private-key-file=${file('service-accounts.key')}`,
    `--root-ca-file=${file('ca.crt')}`,
    `--cluster-signing-cert-file=${file('ca.crt')}`,
    `--cluster-signing-key-file=${file('ca.key')}`,
    // With the default of 20 calls a second, the controllers of a new cluster need twice as long.
    '--kube-api-qps=500',
    '--kube-api-burst=1000',
    '--profiling=false',
  ]
}
