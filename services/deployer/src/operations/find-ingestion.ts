import { componentName, type DeploymentTemplate } from '@slipway/agent-spec'
import { NotFound } from '@slipway/shared/errors'

import type { DeployerContext } from '../context.ts'
import type { DeploymentRow } from '../db/deployments.ts'
import { findRevision, type RevisionRow } from '../db/revisions.ts'

/** The trigger of an ingestion in a template. */
export type Trigger = DeploymentTemplate['ingestion'][string]['trigger']

/** An ingestion of a deployment's live revision. */
export interface LiveIngestion {
  readonly deployment: DeploymentRow
  readonly revision: RevisionRow
  /** Its name in the spec file. */
  readonly name: string
  readonly component: string
  readonly trigger: Trigger
}

/** Returns the ingestions of the live revision. */
export async function liveIngestions(
  { db }: Pick<DeployerContext, 'db'>,
  deployment: DeploymentRow,
): Promise<LiveIngestion[]> {
  const revision =
    deployment.live_revision === null
      ? undefined
      : await findRevision(db, deployment.id, deployment.live_revision)
  if (revision === undefined) return []
  const { ingestion } = revision.template as DeploymentTemplate
  return Object.entries(ingestion).map(([name, { trigger }]) => ({
    deployment,
    revision,
    name,
    component: componentName('ingestion', name),
    trigger,
  }))
}

/** Finds an ingestion of the live revision. Throws NotFound `ingestion_not_found`. */
export async function requireIngestion(
  context: Pick<DeployerContext, 'db'>,
  deployment: DeploymentRow,
  name: string,
): Promise<LiveIngestion> {
  return ingestionNamed(await liveIngestions(context, deployment), name)
}

/** Finds one of the ingestions of a revision. Throws NotFound `ingestion_not_found`. */
export function ingestionNamed(all: readonly LiveIngestion[], name: string): LiveIngestion {
  const found = all.find((each) => each.name === name)
  if (found !== undefined) return found
  const known = all.map((each) => each.name).sort()
  const hint = known.length === 0 ? 'it has none' : `it has ${known.slice(0, 10).join(', ')}`
  throw new NotFound(
    'ingestion_not_found',
    `the deployment has no ingestion ${JSON.stringify(name)}; ${hint}`,
  )
}
