import { describeRefusal } from '../apply/apply-objects.ts'
import { keyOfRow, leaveReplicas, namespaceOf, wavesOf } from '../apply/apply-revision.ts'
import { growClaims, type GrownClaims } from '../apply/grow-claims.ts'
import { findObsolete } from '../apply/prune.ts'
import type { DeployerContext } from '../context.ts'
import { readSecretsIfAllowed, type SecretContents } from '../credentials/read-secrets.ts'
import { secretValuesIn, secretValuesOf } from '../credentials/secret-values.ts'
import { listComponents } from '../db/components.ts'
import type { DeploymentRow } from '../db/deployments.ts'
import { listClusterObjects } from '../db/inventory.ts'
import { keyOf, keyText } from '../domain/kubernetes-object.ts'
import {
  limitFields,
  plainChange,
  plannedChange,
  type PlannedChange,
} from '../domain/planned-change.ts'
import { errorsOf } from '../domain/states.ts'
import { findAutoscaled } from '../kubernetes/autoscaling.ts'
import { inspectNamespace } from '../kubernetes/namespace.ts'
import { previewObject } from '../kubernetes/preview.ts'
import { secretRedactor } from '../kubernetes/redact.ts'
import { doEach } from '../kubernetes/settle-each.ts'
import type { RenderedObject } from '../manifests/render.ts'
import { composeNext, storedSecretsOf } from '../plan/compose-next.ts'
import { pinImages } from '../plan/pin-images.ts'
import type { PreparedDeploy } from '../plan/prepare-deploy.ts'
import type { ComposedRevision } from '../plan/render-revision.ts'
import { readStoredSecrets } from '../plan/stored-secrets.ts'
import type { Actor } from './actor.ts'

/** What a deploy would do. */
export interface DryRun {
  /** The objects that the cluster would reject, as `Kind/name: reason`, sorted. */
  readonly warnings: readonly string[]
  /** In the order of the deploy. Empty if it can't be determined. */
  readonly plan: readonly PlannedChange[]
}

const UNKNOWN =
  'the deployer has lost its rights in it, so there is no plan; a deploy restores them'

/**
 * Runs a deploy as a server-side dry run. While the namespace doesn't exist, a dry run isn't
 * possible, and every object would be created.
 */
export async function dryRun(
  context: DeployerContext,
  unpinned: PreparedDeploy,
  actor: Pick<Actor, 'signal' | 'userId'>,
): Promise<DryRun> {
  const { kubernetes, config } = context
  const { signal } = actor
  const { prepared } = await pinImages(context, unpinned, actor)
  const { live, namespace } = prepared
  const owner = { release: config.cluster.release, deploymentId: live?.id }
  const isOurs =
    live !== undefined && (await inspectNamespace(kubernetes, namespace, owner, signal)) === 'ours'
  if (!isOurs) return { warnings: [], plan: planCreation(context, prepared) }
  const present = await readSecretsIfAllowed(kubernetes, namespace, live.id, signal)
  // The deployer's permissions in the namespace were removed. A deploy restores them; a dry run
  // can't.
  if (present === undefined) return { warnings: [`Namespace/${namespace}: ${UNKNOWN}`], plan: [] }
  const stored = storedSecretsOf(prepared, live, signal)
  const contents = await readStoredSecrets(context, stored, present)
  const composed = composeNext(context, prepared, contents)
  return await planChange(context, live, { composed, contents }, signal)
}

function planCreation(context: DeployerContext, prepared: PreparedDeploy): PlannedChange[] {
  const first = { ...prepared, live: undefined, liveRevision: undefined }
  const composed = composeNext(context, first, new Map())
  const namespace = { component: '', object: namespaceOf(context.config, composed.identity) }
  return [namespace, ...wavesOf({ composed }).flat()].map(({ object }) =>
    plainChange({ kind: object.kind, name: object.metadata.name }, 'create'),
  )
}

async function planChange(
  context: DeployerContext,
  live: DeploymentRow,
  { composed, contents }: { composed: ComposedRevision; contents: SecretContents },
  signal: AbortSignal,
): Promise<DryRun> {
  const { kubernetes, db, config } = context
  const { namespace } = composed.identity
  const [foundations, workloads] = wavesOf({ composed })
  const [autoscaled, components, rows] = await Promise.all([
    findAutoscaled(kubernetes, namespace, signal),
    listComponents(db, live.id),
    listClusterObjects(db, live.id),
  ])
  const objects = [
    { component: '', object: namespaceOf(config, composed.identity) },
    ...foundations,
    ...workloads.map((workload) => leaveReplicas(workload, autoscaled)),
  ]
  const secretValues = [...secretValuesOf(foundations), ...secretValuesIn(contents, () => true)]
  const redact = secretRedactor(secretValues, { isWhole: true })
  const podsOf = (name: string): string[] =>
    (components.find((component) => component.name === name)?.pods ?? [])
      .filter(({ phase }) => phase !== 'Terminating')
      .map((pod) => pod.name)
  const planned = await doEach(objects, async ({ component, object }: RenderedObject) => {
    const named = { kind: object.kind, name: object.metadata.name }
    try {
      const { before, after, replaced } = await previewObject(kubernetes, object, signal)
      const pods = podsOf(component)
      const compared = { ...named, before, after, isPartial: replaced, pods }
      return { change: plannedChange(compared, redact), warnings: [] }
    } catch (error) {
      const warning = `${named.kind}/${named.name}: ${describeRefusal(error, secretValues)}`
      return { change: plainChange(named, 'rejected'), warnings: [warning] }
    }
  })
  const claims = await growClaims(context, composed, { signal, dryRun: true })
  const applied = new Set(objects.map(({ object }) => keyText(keyOf(object))))
  const candidates = rows.filter((row) => row.uid !== '' && !applied.has(keyOfRow(row, namespace)))
  const changes = [...planned.map(({ change }) => change), ...growthsOf(claims)]
  const isPartial = changes.some(({ action }) => action === 'rejected')
  const wanted = { composed, isPartial, signal }
  const obsolete = await findObsolete(context, wanted, candidates)
  return {
    warnings: [...planned.flatMap(({ warnings }) => warnings), ...errorsOf(claims.results)].sort(),
    plan: limitFields([...changes, ...obsolete.map((row) => plainChange(row, 'delete'))]),
  }
}

function growthsOf({ results, growths }: GrownClaims): PlannedChange[] {
  return results.map(({ kind, name, status }, index) => {
    if (status === 'failed') return plainChange({ kind, name }, 'rejected')
    const { from = '', to = '' } = growths[index] ?? {}
    const path = 'spec.resources.requests.storage'
    const field = { path, oldJson: JSON.stringify(from), newJson: JSON.stringify(to) }
    return { ...plainChange({ kind, name }, 'change'), fields: [field] }
  })
}
