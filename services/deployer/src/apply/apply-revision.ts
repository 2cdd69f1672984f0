import { Unavailable } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'
import { secretValuesOf } from '../credentials/secret-values.ts'
import { isAttemptCurrent } from '../db/attempts.ts'
import { listClusterObjects, type ClusterObjectRow } from '../db/inventory.ts'
import { keyText, type KubernetesObject } from '../domain/kubernetes-object.ts'
import { errorsOf, type ResourceResult } from '../domain/states.ts'
import { applyObject } from '../kubernetes/apply.ts'
import { findAutoscaled } from '../kubernetes/autoscaling.ts'
import { isRefusal } from '../kubernetes/kubernetes-error.ts'
import { grantRights, hasRights, renderRoleBinding } from '../kubernetes/rights.ts'
import { renderSecret } from '../manifests/config-and-secrets.ts'
import { stableLabels, type Identity } from '../manifests/identity.ts'
import { renderNamespace } from '../manifests/namespace.ts'
import { podSecurityOf } from '../manifests/pod-security.ts'
import type { RenderedObject } from '../manifests/render.ts'
import { applyWave, resultOf } from './apply-objects.ts'
import { clusterRefusal } from './cluster-refusal.ts'
import { growClaims, NO_CLAIMS } from './grow-claims.ts'
import { pruneObjects } from './prune.ts'
import type { ApplyOutcome, Attempt } from './intent.ts'
import { servedEndpoints } from './served-endpoints.ts'

const NONE: ReadonlySet<string> = new Set()

/** Returns a deployment's objects in the two waves in which they are applied, Secrets first. */
export function wavesOf({
  composed,
}: Pick<Attempt, 'composed'>): [RenderedObject[], RenderedObject[]] {
  const { identity, foundations, workloads } = composed
  const secrets = composed.secrets.map(({ component, ref, name, data }) => ({
    component,
    object: renderSecret(identity, ref, name, data),
  }))
  return [[...secrets, ...foundations], [...workloads]]
}

/**
 * Applies a revision: the namespace and the deployer's permissions in it, the objects that pods
 * need, then the workloads. If the cluster rejected nothing, it then deletes the objects that the
 * revision no longer contains; otherwise, only old ones of partly rejected revisions. Throws
 * when the namespace is rejected or the API server can't be reached.
 */
export async function applyRevision(
  context: DeployerContext,
  attempt: Attempt,
): Promise<ApplyOutcome> {
  const { composed, signal } = attempt
  const { identity } = composed
  const [rows] = await Promise.all([
    listClusterObjects(context.db, identity.deploymentId),
    requireCurrent(context, attempt),
  ])
  // New workloads have no autoscaler yet.
  const isFirst = rows.every(({ uid }) => uid === '')
  const inventory = new Map(rows.map((row) => [keyOfRow(row, identity.namespace), row]))
  const [foundations, workloads] = wavesOf(attempt)
  const options = { inventory, signal, secretValues: secretValuesOf(foundations) }

  const namespace = await applyNamespace(context, attempt, { isFirst })
  await context.onStep('namespace_ready')
  const scaling = isFirst ? NONE : findAutoscaled(context.kubernetes, identity.namespace, signal)
  // The query runs in parallel with the wave, so its error is handled only afterwards.
  const [first] = await Promise.all([
    applyWave(context, foundations, options),
    Promise.allSettled([scaling]),
  ])
  await context.onStep('foundations_applied')
  await requireCurrent(context, attempt)
  const autoscaled = await scaling
  const second = await applyWave(
    context,
    workloads.map((workload) => leaveReplicas(workload, autoscaled)),
    options,
  )
  const claims = isFirst ? NO_CLAIMS : await growClaims(context, composed, { signal })
  await context.onStep('workloads_applied')

  const outcomes = [...first, ...second]
  const results = [namespace, ...outcomes.map(({ result }) => result), ...claims.results]
  const isPartial = results.some(({ status }) => status === 'failed')
  const applied = new Set(outcomes.map(({ rendered }) => keyText(keyOfRendered(rendered))))
  const candidates = rows.filter((row) => !applied.has(keyOfRow(row, identity.namespace)))
  if (candidates.length > 0) await requireCurrent(context, attempt)
  const { results: pruneResults, pruned } = await pruneObjects(context, attempt, candidates, {
    isPartial,
  })
  await context.onStep('pruned')
  const resources = [...results, ...pruneResults]
  return {
    resources,
    errors: errorsOf(resources),
    serviceEndpoints: servedEndpoints(composed.endpoints, outcomes),
    outcomes,
    pruned,
    claimSizes: claims.sizes,
  }
}

/** Throws Unavailable when another attempt has taken over, whose work must not be overwritten. */
export async function requireCurrent(
  { db }: DeployerContext,
  { attemptId, composed, signal }: Attempt,
): Promise<void> {
  signal.throwIfAborted()
  if (await isAttemptCurrent(db, composed.identity.deploymentId, attemptId)) return
  throw new Unavailable(
    'attempt_superseded',
    'another operation on this agent replaced this one; try again',
  )
}

/** Returns the namespace of a deployment. */
export function namespaceOf(
  { cluster, workloads }: DeployerContext['config'],
  identity: Identity,
): KubernetesObject {
  const { level } = podSecurityOf(identity, workloads.manifests)
  return renderNamespace(identity, cluster.release, level)
}

async function applyNamespace(
  { kubernetes, config }: DeployerContext,
  { composed: { identity }, signal }: Attempt,
  { isFirst }: { readonly isFirst: boolean },
): Promise<ResourceResult> {
  const namespace = namespaceOf(config, identity)
  const binding = renderRoleBinding(identity.namespace, stableLabels(identity), config.cluster)
  const [{ outcome }, isBound] = await Promise.all([
    orRefused(
      `the namespace ${identity.namespace}`,
      applyObject(kubernetes, namespace, { signal }),
    ),
    // If the binding can't be read, it is created again.
    isFirst ? false : hasRights(kubernetes, binding, signal).catch(() => false),
  ])
  if (outcome === 'created' || !isBound) {
    const what = `the role binding ${binding.metadata.name} in ${identity.namespace}`
    await orRefused(what, grantRights(kubernetes, binding, signal))
  }
  // The inventory doesn't contain the namespace, so an update can't be detected.
  return resultOf(namespace, outcome === 'created' ? 'created' : 'unchanged', '')
}

/** Throws FailedPrecondition `namespace_refused` when the cluster rejects what all deploys need. */
async function orRefused<Result>(what: string, applied: Promise<Result>): Promise<Result> {
  try {
    return await applied
  } catch (error) {
    if (isRefusal(error)) throw clusterRefusal('namespace_refused', what, error)
    throw error
  }
}

/** Leaves the number of replicas of a workload to its autoscaler. */
export function leaveReplicas(
  { component, object }: RenderedObject,
  autoscaled: ReadonlySet<string>,
): RenderedObject {
  if (!autoscaled.has(`${object.kind}/${object.metadata.name}`)) return { component, object }
  const { replicas: _, ...spec } = (object as KubernetesObject & { spec: { replicas?: number } })
    .spec
  return { component, object: { ...object, spec } as KubernetesObject }
}

/** Returns the key of an object of the inventory as text. */
export function keyOfRow({ api_version, kind, name }: ClusterObjectRow, namespace: string): string {
  return keyText({ apiVersion: api_version, kind, namespace, name })
}

function keyOfRendered({ object }: RenderedObject) {
  const { apiVersion, kind, metadata } = object
  return { apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name }
}
