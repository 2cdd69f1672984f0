import { stableLabels, type Identity } from './identity.ts'
import type { PodSecurityLevel } from './settings.ts'
import type { Namespace } from './types.ts'

/** Renders a deployment's namespace, which enforces the Pod Security level `podSecurity`. */
export function renderNamespace(identity: Identity, podSecurity: PodSecurityLevel): Namespace {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: identity.namespace,
      labels: {
        ...stableLabels(identity),
        'pod-security.kubernetes.io/enforce': podSecurity,
        'pod-security.kubernetes.io/enforce-version': 'latest',
      },
    },
  }
}
