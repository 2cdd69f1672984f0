import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeIfChanged } from './write-if-changed.ts'

/** How to reach an API server and know that it is the right one. */
export interface ClusterEntry {
  readonly server: string
  readonly 'certificate-authority-data'?: string
}

/** What a kubeconfig says about its user. */
export type UserEntry =
  | { readonly 'client-certificate-data': string; readonly 'client-key-data': string }
  | { readonly tokenFile: string }

/**
 * A kubeconfig with one cluster and one user. Its form is JSON, which every reader of YAML takes.
 */
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

/**
 * Writes the kubeconfig of somebody who has a certificate in `credentials`, with everything in it.
 */
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
