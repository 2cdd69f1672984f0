import { waitFor } from '@slipway/testing'

import { keyOf } from '../../src/domain/kubernetes-object.ts'
import { objectPath } from '../../src/kubernetes/paths.ts'
import { listIn } from './agents.ts'
import type { FullDeployer } from './full-deployer.ts'

/** All kinds of objects that a deployment has, with their names in URLs and their API groups. */
export const KINDS = [
  ['ConfigMap', 'configmaps', ''],
  ['CronJob', 'cronjobs', 'batch'],
  ['Deployment', 'deployments', 'apps'],
  ['Ingress', 'ingresses', 'networking.k8s.io'],
  ['Job', 'jobs', 'batch'],
  ['LimitRange', 'limitranges', ''],
  ['NetworkPolicy', 'networkpolicies', 'networking.k8s.io'],
  ['ResourceQuota', 'resourcequotas', ''],
  ['Secret', 'secrets', ''],
  ['Service', 'services', ''],
  ['ServiceAccount', 'serviceaccounts', ''],
  ['StatefulSet', 'statefulsets', 'apps'],
] as const

/** A kind to reject, and the namespace in which to reject it. */
export interface RefusedKind {
  readonly kind: (typeof KINDS)[number][0]
  readonly resource: string
  readonly group: string
  readonly namespace: string
}

/**
 * Makes the real API server reject all objects of a kind in a namespace. Returns a function that
 * ends this.
 */
export type Obstruction = (at: FullDeployer, refused: RefusedKind) => Promise<() => Promise<void>>

/**
 * Waits until changes of a kind fail with an error that `isExpected` accepts. Uses dry runs, so it
 * changes nothing.
 */
export async function untilObstructed(
  { deployer: { cluster } }: FullDeployer,
  { kind, namespace }: RefusedKind,
  isExpected: (error: unknown) => boolean,
): Promise<void> {
  const [object] = await listIn(cluster, kind, namespace)
  if (object === undefined) throw new Error(`the deployment has no ${kind}`)
  await waitFor(
    async () => {
      try {
        await cluster.send({
          method: 'PATCH',
          path: `${objectPath(keyOf(object))}?dryRun=All`,
          contentType: 'application/merge-patch+json',
          body: { metadata: { labels: { 'test.slipway.dev/probe': 'yes' } } },
          timeoutMs: 2_000,
        })
        return false
      } catch (error) {
        return isExpected(error)
      }
    },
    { what: `changes of a ${kind} to be rejected` },
  )
}
