import { waitFor } from '@slipway/testing'
import { ApiError } from '@slipway/local/kubernetes/client'

import { cluster } from './cluster.ts'

const WEBHOOKS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'

/** The requests in a namespace that the API server must fail with 500. */
export interface Breakage {
  readonly namespace: string
  readonly resource: 'jobs' | 'namespaces' | 'pods' | 'services'
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE'
  /** A harmless request of that kind, to detect when it fails: method, path and body. */
  readonly probe: readonly [method: string, path: string, body?: unknown, contentType?: string]
}

/** Makes requests fail with 500 until disposed of, through a webhook that doesn't exist. */
export async function breakRequests({
  namespace,
  resource,
  operation,
  probe,
}: Breakage): Promise<AsyncDisposable> {
  const name = `broken-${operation.toLowerCase()}-${resource}-${namespace}`
  await cluster.call('POST', WEBHOOKS, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      {
        name: 'missing.slipway.dev',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: 'Fail',
        timeoutSeconds: 2,
        clientConfig: { url: 'https://127.0.0.1:1/' },
        // Matches requests for the namespace itself by its labels.
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        rules: [
          {
            apiGroups: resource === 'jobs' ? ['batch'] : [''],
            apiVersions: ['v1'],
            operations: [operation],
            resources: [resource],
          },
        ],
      },
    ],
  })
  const isBroken = () =>
    cluster.call(...probe).then(
      () => false,
      (error: unknown) => error instanceof ApiError && error.status === 500,
    )
  const broken = {
    async [Symbol.asyncDispose]() {
      await cluster.call('DELETE', `${WEBHOOKS}/${name}`)
      await waitFor(async () => !(await isBroken()), { what: 'the webhook to be removed' })
    },
  }
  try {
    await waitFor(isBroken, { what: 'the webhook to be called' })
  } catch (error) {
    await broken[Symbol.asyncDispose]()
    throw error
  }
  return broken
}
