import type {
  V1Condition,
  V1CronJob,
  V1Deployment,
  V1Job,
  V1StatefulSet,
} from '@kubernetes/client-node'

import { TEMPLATE_HASH_LABEL } from '../domain/labels.ts'
import type { WorkloadFacts } from '../domain/rollout.ts'
import { withoutNetwork } from '../kubernetes/network-words.ts'

type Conditions = readonly Pick<
  V1Condition,
  'type' | 'status' | 'reason' | 'message' | 'lastTransitionTime'
>[]

const REFUSAL_GRACE_MS = 15_000

/** Returns the state of a Deployment. */
export function deploymentFacts({ metadata, spec, status }: V1Deployment): WorkloadFacts {
  const conditions = (status?.conditions ?? []) as Conditions
  return {
    kind: 'Deployment',
    uid: metadata?.uid ?? '',
    generation: metadata?.generation ?? 0,
    observedGeneration: status?.observedGeneration ?? 0,
    replicas: spec?.replicas ?? 1,
    currentReplicas: status?.replicas ?? 0,
    updatedReplicas: status?.updatedReplicas ?? 0,
    availableReplicas: status?.availableReplicas ?? 0,
    ...deploymentProblem(conditions),
    templateHash: spec?.template.metadata?.labels?.[TEMPLATE_HASH_LABEL] ?? '',
  }
}

/** Returns the state of a StatefulSet. */
export function statefulSetFacts({ metadata, spec, status }: V1StatefulSet): WorkloadFacts {
  const isUpdated =
    status?.updateRevision !== undefined && status.updateRevision === status.currentRevision
  return {
    kind: 'StatefulSet',
    uid: metadata?.uid ?? '',
    generation: metadata?.generation ?? 0,
    observedGeneration: status?.observedGeneration ?? 0,
    replicas: spec?.replicas ?? 1,
    currentReplicas: status?.replicas ?? 0,
    updatedReplicas: isUpdated ? (status.replicas ?? 0) : (status?.updatedReplicas ?? 0),
    availableReplicas: status?.availableReplicas ?? 0,
    problem: '',
    problemFrom: 0,
    templateHash: spec?.template.metadata?.labels?.[TEMPLATE_HASH_LABEL] ?? '',
  }
}

/**
 * Rejected pods count as a problem only after REFUSAL_GRACE_MS: they may be admitted soon, once the
 * API server knows the objects that they need.
 */
function deploymentProblem(conditions: Conditions): { problem: string; problemFrom: number } {
  const late = explain(conditions, 'Progressing', 'False', 'ProgressDeadlineExceeded')
  if (late !== '') return { problem: late, problemFrom: 0 }
  const refused = conditions.find(
    ({ type, status }) => type === 'ReplicaFailure' && status === 'True',
  )
  return {
    problem: explain(conditions, 'ReplicaFailure', 'True'),
    problemFrom: new Date(refused?.lastTransitionTime ?? 0).getTime() + REFUSAL_GRACE_MS,
  }
}

/** Returns the state of a Job. */
export function jobFacts({ metadata, spec, status }: V1Job): WorkloadFacts {
  const conditions = (status?.conditions ?? []) as Conditions
  return {
    kind: 'Job',
    uid: metadata?.uid ?? '',
    isComplete: conditions.some(
      ({ type, status: value }) => type === 'Complete' && value === 'True',
    ),
    problem: explain(conditions, 'Failed', 'True'),
    templateHash: spec?.template.metadata?.labels?.[TEMPLATE_HASH_LABEL] ?? '',
  }
}

/** Returns the state of a CronJob. */
export function cronJobFacts({ metadata, spec }: V1CronJob): WorkloadFacts {
  const labels = spec?.jobTemplate.spec?.template.metadata?.labels
  return {
    kind: 'CronJob',
    uid: metadata?.uid ?? '',
    templateHash: labels?.[TEMPLATE_HASH_LABEL] ?? '',
  }
}

function explain(conditions: Conditions, type: string, status: string, reason?: string): string {
  const found = conditions.find(
    (condition) =>
      condition.type === type &&
      condition.status === status &&
      (reason === undefined || condition.reason === reason),
  )
  return found ? [found.reason, withoutNetwork(found.message)].filter(Boolean).join(': ') : ''
}
