import { readFile } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'

import type { Environment } from '@slipway/shared/config'

import type { AccessSource } from './access-source.ts'

/** Where Kubernetes mounts the ServiceAccount's token and the API server's authority. */
const DIRECTORY = '/var/run/secrets/kubernetes.io/serviceaccount'

/** Reads how a pod reaches its own cluster. Throws an Error outside of pods. */
export function readPodAccount(env: Environment, directory = DIRECTORY): AccessSource {
  const host = env['KUBERNETES_SERVICE_HOST']
  const port = env['KUBERNETES_SERVICE_PORT']
  if (!host || !port) {
    throw new Error(
      'KUBECONFIG: is not set, and this is not a pod, because KUBERNETES_SERVICE_HOST or ' +
        'KUBERNETES_SERVICE_PORT is not set either; set KUBECONFIG to the path of a kubeconfig',
    )
  }
  return {
    server: new URL(`https://${isIPv6(host) ? `[${host}]` : host}:${port}`),
    async read() {
      const [ca, token] = await Promise.all([
        readFile(join(directory, 'ca.crt'), 'utf8'),
        readFile(join(directory, 'token'), 'utf8'),
      ])
      return { tls: { ca }, headers: { Authorization: `Bearer ${token.trim()}` } }
    },
  }
}
