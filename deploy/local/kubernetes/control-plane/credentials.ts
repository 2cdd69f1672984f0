import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureCertificates } from './certificates.ts'
import type { CertificateRequest } from './certificates.ts'
import { writeCertificateKubeconfig } from '../kubeconfig.ts'

/** The addresses and names that the credentials of a control plane contain. */
export interface CredentialsOptions {
  /**
   * Gets `<name>.kubeconfig` for each client, the certificates and the keys of tokens in
   * `credentials/`, and those for aggregated APIs in `front-proxy/`.
   */
  readonly directory: string
  /** The API server's address for its clients. */
  readonly address: string
  readonly apiPort: number
  /** The address of the service `kubernetes`, at which pods reach the API server. */
  readonly apiService: string
  readonly nodeName: string
}

/** The common name of the certificate with which the API server calls aggregated APIs. */
export const FRONT_PROXY = 'front-proxy-client'

const clients: readonly CertificateRequest[] = [
  { name: 'admin', organization: 'system:masters', commonName: 'slipway-admin' },
  { name: 'kube-controller-manager', commonName: 'system:kube-controller-manager' },
  { name: 'kube-scheduler', commonName: 'system:kube-scheduler' },
  { name: 'kube-proxy', commonName: 'system:kube-proxy' },
  { name: 'coredns', commonName: 'slipway:coredns' },
  { name: 'network-policies', commonName: 'slipway:network-policies' },
  { name: 'cluster-agent', commonName: 'slipway:cluster-agent' },
  { name: 'ingress-controller', commonName: 'slipway:ingress-controller' },
  { name: 'metrics-server', commonName: 'slipway:metrics-server' },
]

// With this certificate the API server calls aggregated APIs in the name of its callers. Its
// authority signs nothing else: a client whose certificate it signed could act as anyone.
const frontProxy: CertificateRequest = { name: FRONT_PROXY, commonName: FRONT_PROXY }

/** Creates the missing keys, certificates and kubeconfigs of a control plane. */
export async function ensureCredentials(options: CredentialsOptions): Promise<void> {
  mkdirSync(options.directory, { recursive: true })
  const credentials = join(options.directory, 'credentials')
  const kubelet: CertificateRequest = {
    name: 'kubelet',
    organization: 'system:nodes',
    commonName: `system:node:${options.nodeName}`,
  }
  await Promise.all([
    ensureCertificates(credentials, [...serving(options), ...clients, kubelet]),
    ensureCertificates(join(options.directory, 'front-proxy'), [frontProxy]),
  ])
  ensureTokenKeys(credentials)
  const server = `https://${options.address}:${options.apiPort}`
  for (const { name } of [...clients, kubelet]) {
    writeCertificateKubeconfig(
      join(options.directory, `${name}.kubeconfig`),
      server,
      credentials,
      name,
    )
  }
}

/** Creates the keys that sign and verify service account tokens, unless they exist. */
function ensureTokenKeys(directory: string): void {
  const file = (name: string) => join(directory, name)
  if (existsSync(file('service-accounts.key'))) return
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const write = (name: string, text: string | Buffer) =>
    writeFileSync(file(name), text, { mode: 0o600 })
  write('service-accounts.pub', publicKey.export({ type: 'spki', format: 'pem' }))
  write('service-accounts.key.new', privateKey.export({ type: 'pkcs1', format: 'pem' }))
  // Renamed last, so that the two keys are a pair if this one exists.
  renameSync(file('service-accounts.key.new'), file('service-accounts.key'))
}

function serving(options: CredentialsOptions): readonly CertificateRequest[] {
  const local = [...new Set(['127.0.0.1', options.address])]
  const domain = [
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
    'kubernetes.default.svc.cluster.local',
  ]
  return [
    { name: 'etcd', commonName: 'etcd', addresses: local },
    { name: 'etcd-client', commonName: 'kube-apiserver' },
    {
      name: 'apiserver',
      commonName: 'kube-apiserver',
      dnsNames: [...domain, 'localhost'],
      addresses: [...local, options.apiService],
    },
    {
      name: 'apiserver-kubelet-client',
      organization: 'system:masters',
      commonName: 'kube-apiserver',
    },
    {
      name: 'metrics-server-serving',
      commonName: 'metrics-server',
      dnsNames: ['metrics-server.kube-system.svc'],
    },
    {
      name: 'kubelet-serving',
      commonName: options.nodeName,
      dnsNames: [options.nodeName],
      addresses: local,
    },
  ]
}
