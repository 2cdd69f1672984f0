import { FailedPrecondition } from '@slipway/shared/errors'

import type { KubernetesError } from '../kubernetes/kubernetes-error.ts'
import { describeRefusal } from './apply-objects.ts'

/**
 * Returns the error for a request that the cluster has rejected, with the words of the cluster,
 * which name the admission policy or the missing permission. For requests without secret values.
 */
export function clusterRefusal(
  reason: string,
  what: string,
  error: KubernetesError,
): FailedPrecondition {
  const why = describeRefusal(error, []).replace(/\.$/, '')
  const next = 'Ask an operator of the cluster to allow it, then try again'
  return new FailedPrecondition(reason, `the cluster rejected ${what}: ${why}. ${next}`, {
    cause: error,
  })
}
