import { RELEASE_LABEL } from '../domain/labels.ts'
import { stableLabels, type Identity } from './identity.ts'
import type { PodSecurityLevel } from './settings.ts'
import type { Namespace } from './types.ts'

/**
 * Renders a deployment's namespace, which belongs to the Slipway `release` and enforces the Pod
 * Security level `podSecurity`.
 */
export function renderNamespace(
  identity: Identity,
  release: string,
  podSecurity: PodSecurityLevel,
): Namespace {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: identity.namespace,
      labels: {
        ...stableLabels(identity),
        [RELEASE_LABEL]: release,
        'pod-security.kubernetes.io/enforce': podSecurity,
        'pod-security.kubernetes.io/enforce-version': 'latest',
      },
    },
  }
}
