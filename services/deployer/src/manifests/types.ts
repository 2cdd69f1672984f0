import type {
  V1ConfigMap,
  V1Container,
  V1CronJob,
  V1Deployment,
  V1EnvVar,
  V1Ingress,
  V1Job,
  V1LimitRange,
  V1Namespace,
  V1NetworkPolicy,
  V1NetworkPolicyPeer,
  V1PodTemplateSpec,
  V1ResourceQuota,
  V1Secret,
  V1Service,
  V1ServiceAccount,
  V1StatefulSet,
} from '@kubernetes/client-node'

import type { KubernetesObject } from '../domain/kubernetes-object.ts'

/** A class of the client library as plain JSON. */
type Plain<Type> = Type extends Date
  ? string
  : Type extends readonly (infer Item)[]
    ? Plain<Item>[]
    : Type extends object
      ? { [Key in keyof Type]: Plain<Type[Key]> }
      : Type

type PlainObject<Type> = Plain<Type> & KubernetesObject

export type ConfigMap = PlainObject<V1ConfigMap>
export type CronJob = PlainObject<V1CronJob>
export type Deployment = PlainObject<V1Deployment>
export type Ingress = PlainObject<V1Ingress>
export type Job = PlainObject<V1Job>
export type LimitRange = PlainObject<V1LimitRange>
export type Namespace = PlainObject<V1Namespace>
export type NetworkPolicy = PlainObject<V1NetworkPolicy>
export type ResourceQuota = PlainObject<V1ResourceQuota>
export type Secret = PlainObject<V1Secret>
export type Service = PlainObject<V1Service>
export type ServiceAccount = PlainObject<V1ServiceAccount>
export type StatefulSet = PlainObject<V1StatefulSet>

export type Container = Plain<V1Container>
export type EnvVar = Plain<V1EnvVar>
export type JobSpec = NonNullable<Job['spec']>
export type NetworkPolicyPeer = Plain<V1NetworkPolicyPeer>
export type NetworkPolicySpec = NonNullable<NetworkPolicy['spec']>
export type PodTemplate = Plain<V1PodTemplateSpec>
export type PodSpec = NonNullable<PodTemplate['spec']>
