import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeIfChanged } from './write-if-changed.ts'

/** The address of an API server and the CA that signs its certificate. */
export interface ClusterEntry {
  readonly server: string
  readonly 'certificate-authority-data'?: string
}

/** The credentials in a kubeconfig. */
export type UserEntry =
  | { readonly 'client-certificate-data': string; readonly 'client-key-data': string }
  | { readonly tokenFile: string }

/** Returns a kubeconfig with one cluster and one user, as JSON, which is valid YAML. */
export function kubeconfig(cluster: ClusterEntry, user: UserEntry): string {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'slipway',
    clusters: [{ name: 'slipway', cluster }],
    contexts: [{ name: 'slipway', context: { cluster: 'slipway', user: 'slipway' } }],
    users: [{ name: 'slipway', user }],
  }
  return `${JSON.stringify(config, undefined, 2)}\n`
}

/** Writes a kubeconfig that includes the certificate and key `name` from `credentials`. */
export function writeCertificateKubeconfig(
  file: string,
  server: string,
  credentials: string,
  name: string,
): void {
  const base64 = (part: string) => readFileSync(join(credentials, part)).toString('base64')
  const cluster = { server, 'certificate-authority-data': base64('ca.crt') }
  const user = {
    'client-certificate-data': base64(`${name}.crt`),
    'client-key-data': base64(`${name}.key`),
  }
  writeIfChanged(file, kubeconfig(cluster, user), 0o600)
}
