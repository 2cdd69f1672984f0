import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureCertificates } from './certificates.ts'
import type { CertificateRequest } from './certificates.ts'
import { writeCertificateKubeconfig } from '../kubeconfig.ts'

/** The addresses and names that the credentials of a control plane contain. */
export interface CredentialsOptions {
  /** Gets `<name>.kubeconfig` for each client, and the certificates in `credentials/`. */
  readonly directory: string
  /** The API server's address for its clients. */
  readonly address: string
  readonly apiPort: number
  /** The address of the service `kubernetes`, at which pods reach the API server. */
  readonly apiService: string
  readonly nodeName: string
}

const clients: readonly CertificateRequest[] = [
  { name: 'admin', organization: 'system:masters', commonName: 'slipway-admin' },
  { name: 'kube-controller-manager', commonName: 'system:kube-controller-manager' },
  { name: 'kube-scheduler', commonName: 'system:kube-scheduler' },
  { name: 'kube-proxy', commonName: 'system:kube-proxy' },
  { name: 'coredns', commonName: 'slipway:coredns' },
  { name: 'cluster-agent', commonName: 'slipway:cluster-agent' },
  { name: 'ingress-controller', commonName: 'slipway:ingress-controller' },
]

/** Creates the missing keys, certificates and kubeconfigs of a control plane. */
export async function ensureCredentials(options: CredentialsOptions): Promise<void> {
  mkdirSync(options.directory, { recursive: true })
  const credentials = join(options.directory, 'credentials')
  const kubelet: CertificateRequest = {
    name: 'kubelet',
    organization: 'system:nodes',
    commonName: `system:node:${options.nodeName}`,
  }
  await ensureCertificates(credentials, [...serving(options), ...clients, kubelet])
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
      name: 'kubelet-serving',
      commonName: options.nodeName,
      dnsNames: [options.nodeName],
      addresses: local,
    },
  ]
}
