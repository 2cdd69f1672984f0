import type { V1CronJob, V1Deployment, V1Job, V1Pod, V1StatefulSet } from '@kubernetes/client-node'
import type { Logger } from '@slipway/shared/logger'

import type { RunJob } from '../domain/ingestion-run.ts'
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
import { runJob, runPod, type ObservedRunPod } from './run-facts.ts'
import { cronJobFacts, deploymentFacts, jobFacts, statefulSetFacts } from './workload-facts.ts'

/** A pod and the deployment and component that it belongs to. */
export interface ObservedPod extends PodFacts {
  readonly deploymentId: string
  readonly component: string
  /** Undefined unless it is a pod of a Job. */
  readonly run: ObservedRunPod | undefined
}

interface ObservedWorkload {
  readonly deploymentId: string
  readonly facts: WorkloadFacts
  /** Undefined unless it is a Job. */
  readonly run: RunJob | undefined
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
  readonly #podsByDeployment = new Index<ObservedPod>(({ name }) => name)
  readonly #runsByDeployment = new Index<RunJob>(({ uid }) => uid)

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
            run: kind === 'Job' ? runJob(object as unknown as V1Job) : undefined,
          }),
          onChange: (before, now) => {
            if (before?.run) this.#runsByDeployment.remove(before.deploymentId, before.run)
            if (now?.run) this.#runsByDeployment.add(now.deploymentId, now.run)
            notify(now, before)
          },
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
        run: runPod(object as unknown as V1Pod),
      }),
      onChange: (before, now) => {
        if (before) this.#podsByDeployment.remove(before.deploymentId, before)
        if (now) this.#podsByDeployment.add(now.deploymentId, now)
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
    const pods = this.#podsByDeployment.of(deploymentId)
    return pods.sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** Returns the Jobs of a deployment. */
  runsOf(deploymentId: string): RunJob[] {
    return this.#runsByDeployment.of(deploymentId)
  }

  /** Returns the deployments with runs that were created before a time, and have no started pod. */
  deploymentsWaitingSince(time: number): string[] {
    return this.#runsByDeployment.keysOf((run, deploymentId) => {
      if (run.outcome !== 'open' || run.createdAt >= time) return false
      const pods = this.podsOf(deploymentId).flatMap((pod) => pod.run ?? [])
      return !pods.some(({ jobUid, startedAt }) => jobUid === run.uid && startedAt !== undefined)
    })
  }

  /** Keeps the view up to date until the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#pods, ...this.#workloads.values()].map((mirror) => mirror.run(signal)))
  }
}

/** Items by deployment. */
class Index<Item> {
  readonly #idOf: (item: Item) => string
  readonly #items = new Map<string, Map<string, Item>>()

  constructor(idOf: (item: Item) => string) {
    this.#idOf = idOf
  }

  of(deploymentId: string): Item[] {
    return [...(this.#items.get(deploymentId)?.values() ?? [])]
  }

  keysOf(matches: (item: Item, deploymentId: string) => boolean): string[] {
    return [...this.#items].flatMap(([key, items]) =>
      items.values().some((item) => matches(item, key)) ? [key] : [],
    )
  }

  add(deploymentId: string, item: Item): void {
    const items = this.#items.get(deploymentId) ?? new Map<string, Item>()
    items.set(this.#idOf(item), item)
    this.#items.set(deploymentId, items)
  }

  remove(deploymentId: string, item: Item): void {
    const items = this.#items.get(deploymentId)
    items?.delete(this.#idOf(item))
    if (items?.size === 0) this.#items.delete(deploymentId)
  }
}
