import type { DeployerContext } from '../context.ts'
import type { ClusterObjectRow } from '../db/inventory.ts'
import { listAppliedBefore } from '../db/restorable.ts'

/**
 * Revisions, the present one among them, whose Secrets and config maps stay, so that a rollback has
 * its values.
 */
const KEPT_REVISIONS = 3

/**
 * What a prune leaves of Secrets and config maps, though the present revision doesn't have them.
 */
export interface Kept {
  /** Secrets that an earlier revision can be restored from. */
  readonly secrets: ReadonlySet<string>
  /** Config maps of this and later revisions. */
  readonly fromRevision: number
  /** The revision before, whose pods may still be running. */
  readonly before: number
}

/**
 * What is kept beside the present revision: what belongs to the last ones that were applied in full
 * and differ from it and from each other. Those that were refused in part are no targets for a
 * rollback, and take nobody's place.
 */
export async function findKept(
  { db }: Pick<DeployerContext, 'db'>,
  deploymentId: string,
  present: { readonly revision: number; readonly fingerprint: Buffer },
): Promise<Kept> {
  const seen = new Set([present.fingerprint.toString('hex')])
  const kept = (await listAppliedBefore(db, deploymentId, present.revision))
    .filter(({ fingerprint }) => {
      const print = fingerprint.toString('hex')
      return !seen.has(print) && seen.add(print)
    })
    .slice(0, KEPT_REVISIONS - 1)
  const secrets = kept.flatMap(({ secrets: { roles, sources } }) => [
    ...Object.values(roles),
    ...Object.values(sources),
  ])
  return {
    secrets: new Set(secrets.map(({ secret }) => secret)),
    fromRevision: kept.at(-1)?.revision ?? present.revision,
    before: present.revision - 1,
  }
}

/** Whether a prune leaves an object of the inventory. */
export function isKept({ kind, name, component, revision }: ClusterObjectRow, kept: Kept): boolean {
  if (kind !== 'Secret' && kind !== 'ConfigMap') return false
  const isOfRevision = component !== ''
  if (!isOfRevision) return name.endsWith('-password')
  if (revision >= kept.before) return true
  return kind === 'Secret' ? kept.secrets.has(name) : revision >= kept.fromRevision
}
