import type { V1CronJob, V1Deployment, V1Job, V1Pod, V1StatefulSet } from '@kubernetes/client-node'
import type { Logger } from '@slipway/shared/logger'

import type { KubernetesObject } from '../domain/kubernetes-object.ts'
import {
  COMPONENT_LABEL,
  DEPLOYMENT_LABEL,
  MANAGED_BY,
  MANAGED_BY_LABEL,
} from '../domain/labels.ts'
import type { PodFacts, WorkloadFacts } from '../domain/rollout.ts'
import type { KubernetesClient } from '../kubernetes/client.ts'
import { ObjectMirror } from '../kubernetes/watch.ts'
import { podFacts } from './pod-facts.ts'
import { cronJobFacts, deploymentFacts, jobFacts, statefulSetFacts } from './workload-facts.ts'

/** A pod and the deployment and component that it belongs to. */
export interface ObservedPod extends PodFacts {
  readonly deploymentId: string
  readonly component: string
}

interface ObservedWorkload {
  readonly deploymentId: string
  readonly facts: WorkloadFacts
}

const WORKLOADS = [
  [
    'apps/v1',
    'Deployment',
    (object: KubernetesObject) => deploymentFacts(object as unknown as V1Deployment),
  ],
  [
    'apps/v1',
    'StatefulSet',
    (object: KubernetesObject) => statefulSetFacts(object as unknown as V1StatefulSet),
  ],
  ['batch/v1', 'Job', (object: KubernetesObject) => jobFacts(object as unknown as V1Job)],
  [
    'batch/v1',
    'CronJob',
    (object: KubernetesObject) => cronJobFacts(object as unknown as V1CronJob),
  ],
] as const

/** The workloads and pods of all deployments, mirrored from the cluster. */
export class ClusterView {
  readonly #workloads: ReadonlyMap<string, ObjectMirror<ObservedWorkload>>
  readonly #pods: ObjectMirror<ObservedPod>
  readonly #podsByDeployment = new Map<string, Map<string, ObservedPod>>()

  constructor(client: KubernetesClient, logger: Logger, onChange: (deploymentId: string) => void) {
    const labels = { [MANAGED_BY_LABEL]: MANAGED_BY }
    const notify = (...observed: ({ deploymentId: string } | undefined)[]): void => {
      const id = observed.find((each) => each !== undefined)?.deploymentId
      if (id) onChange(id)
    }
    this.#workloads = new Map(
      WORKLOADS.map(([apiVersion, kind, facts]) => [
        kind,
        new ObjectMirror<ObservedWorkload>({
          client,
          logger,
          query: { apiVersion, kind, namespace: '', labels },
          keep: (object) => ({
            deploymentId: object.metadata.labels?.[DEPLOYMENT_LABEL] ?? '',
            facts: facts(object),
          }),
          onChange: (before, now) => notify(now, before),
        }),
      ]),
    )
    this.#pods = new ObjectMirror<ObservedPod>({
      client,
      logger,
      query: { apiVersion: 'v1', kind: 'Pod', namespace: '', labels },
      keep: (object) => ({
        ...podFacts(object as unknown as V1Pod),
        deploymentId: object.metadata.labels?.[DEPLOYMENT_LABEL] ?? '',
        component: object.metadata.labels?.[COMPONENT_LABEL] ?? '',
      }),
      onChange: (before, now) => {
        this.#index(before, now)
        notify(now, before)
      },
    })
  }

  /** Whether all mirrors are complete. */
  get isSynced(): boolean {
    return this.#pods.isSynced && [...this.#workloads.values()].every((mirror) => mirror.isSynced)
  }

  /** Returns the state of a workload; undefined when it doesn't exist. */
  workload(kind: string, namespace: string, name: string): WorkloadFacts | undefined {
    return this.#workloads.get(kind)?.get(namespace, name)?.facts
  }

  /** Returns the pods of a deployment, sorted by name. */
  podsOf(deploymentId: string): ObservedPod[] {
    const pods = [...(this.#podsByDeployment.get(deploymentId)?.values() ?? [])]
    return pods.sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** Keeps the view up to date until the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#pods, ...this.#workloads.values()].map((mirror) => mirror.run(signal)))
  }

  #index(before: ObservedPod | undefined, now: ObservedPod | undefined): void {
    if (before) {
      const pods = this.#podsByDeployment.get(before.deploymentId)
      pods?.delete(before.name)
      if (pods?.size === 0) this.#podsByDeployment.delete(before.deploymentId)
    }
    if (!now) return
    const pods = this.#podsByDeployment.get(now.deploymentId) ?? new Map<string, ObservedPod>()
    pods.set(now.name, now)
    this.#podsByDeployment.set(now.deploymentId, pods)
  }
}
