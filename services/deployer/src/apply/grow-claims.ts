import { parseQuantity } from '@slipway/agent-spec'

import type { DeployerContext } from '../context.ts'
import { bytes } from '../domain/footprint.ts'
import { keyOf, type KubernetesObject } from '../domain/kubernetes-object.ts'
import { COMPONENT_LABEL, DEPLOYMENT_LABEL } from '../domain/labels.ts'
import type { ResourceResult } from '../domain/states.ts'
import { FIELD_MANAGER } from '../kubernetes/apply.ts'
import { isKubernetesStatus, KubernetesError } from '../kubernetes/kubernetes-error.ts'
import { objectPath } from '../kubernetes/paths.ts'
import { listObjects } from '../kubernetes/read.ts'
import type { RenderedObject } from '../manifests/render.ts'
import type { StatefulSet } from '../manifests/types.ts'
import type { ComposedRevision } from '../plan/render-revision.ts'
import { describeRefusal, resultOf } from './apply-objects.ts'

/** A persistent volume claim with its size. */
export interface Claim extends KubernetesObject {
  readonly spec?: { readonly resources?: { readonly requests?: { readonly storage?: string } } }
}

/** A claim to enlarge. */
export interface Growth {
  readonly claim: Claim
  readonly from: string
  readonly to: string
}

/** The result for each claim to enlarge, and the size of all claims of each component in bytes. */
export interface GrownClaims {
  readonly results: readonly ResourceResult[]
  /** The claims to enlarge, in the order of the results. */
  readonly growths: readonly Growth[]
  readonly sizes: Readonly<Record<string, number>>
}

/** Options for enlarging claims. */
export interface GrowOptions {
  readonly signal: AbortSignal
  readonly dryRun?: boolean
}

/** The claims of a deployment without volumes. */
export const NO_CLAIMS: GrownClaims = { results: [], growths: [], sizes: {} }
/** The API server's message for a storage class without allowVolumeExpansion. */
const NOT_EXPANDABLE = /storageclass that provisions the pvc must support resize/i

/**
 * Enlarges existing claims to the size in the templates of their stateful sets, which the API
 * server uses for new claims only. Claims are never shrunk or replaced.
 */
export async function growClaims(
  { kubernetes }: DeployerContext,
  { identity, workloads, hasVolumes }: ComposedRevision,
  { signal, dryRun = false }: GrowOptions,
): Promise<GrownClaims> {
  if (!hasVolumes) return NO_CLAIMS
  const sets = workloads.filter(({ object }) => object.kind === 'StatefulSet')
  const { deploymentId, namespace } = identity
  const labels = { [DEPLOYMENT_LABEL]: deploymentId }
  const query = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, labels, signal }
  const { items } = await listObjects<Claim>(kubernetes, query)
  const parameters = `fieldManager=${FIELD_MANAGER}${dryRun ? '&dryRun=All' : ''}`
  const growths = growthsOf(sets, items)
  const results = await Promise.all(
    growths.map(async ({ claim, from, to }) => {
      try {
        await kubernetes.send({
          method: 'PATCH',
          path: `${objectPath(keyOf(claim))}?${parameters}`,
          contentType: 'application/merge-patch+json',
          body: { spec: { resources: { requests: { storage: to } } } },
          signal,
        })
        return resultOf(claim, 'updated', '')
      } catch (error) {
        return resultOf(claim, 'failed', `the volume stays at ${from}: ${reasonOf(error)}`)
      }
    }),
  )
  return { results, growths, sizes: sizesOf(items) }
}

/** Adds up the claims of each component. The template has the new size of those that grow. */
function sizesOf(claims: readonly Claim[]): Record<string, number> {
  const byComponent = Map.groupBy(
    claims,
    ({ metadata }) => metadata.labels?.[COMPONENT_LABEL] ?? '',
  )
  const total = (own: readonly Claim[]) =>
    own.reduce((sum, { spec }) => sum + bytes(spec?.resources?.requests?.storage ?? ''), 0)
  return Object.fromEntries([...byComponent].map(([name, own]) => [name, total(own)]))
}

/** Returns the claims that are smaller than the template of their stateful set. */
export function growthsOf(sets: readonly RenderedObject[], claims: readonly Claim[]): Growth[] {
  return sets.flatMap(({ object }) =>
    ((object as StatefulSet).spec?.volumeClaimTemplates ?? []).flatMap((template) => {
      const to = template.spec?.resources?.requests?.['storage'] ?? ''
      const prefix = `${template.metadata?.name ?? ''}-${object.metadata.name}-`
      return claims.flatMap((claim) => {
        const { name } = claim.metadata
        if (!name.startsWith(prefix) || !/^\d+$/.test(name.slice(prefix.length))) return []
        const from = claim.spec?.resources?.requests?.storage ?? ''
        return (parseQuantity(from) ?? Infinity) < (parseQuantity(to) ?? 0)
          ? { claim, from, to }
          : []
      })
    }),
  )
}

function reasonOf(error: unknown): string {
  const isFixed =
    isKubernetesStatus(error, 403) &&
    error instanceof KubernetesError &&
    NOT_EXPANDABLE.test(error.status.message ?? '')
  return isFixed ? 'its storage class does not allow expansion' : describeRefusal(error, [])
}
