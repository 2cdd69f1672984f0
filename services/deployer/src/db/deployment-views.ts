import type { Endpoint } from '../domain/endpoint.ts'
import type { ComponentRow } from './components.ts'
import { liveDeployments, type DeploymentRow } from './deployments.ts'
import type { Db } from './tables.ts'

/** A live deployment with its build, endpoints and components. */
export interface DeploymentView {
  readonly deployment: DeploymentRow
  readonly buildId: string
  /** The version of the build; null if it was not published. */
  readonly version: string | null
  readonly endpoints: readonly Endpoint[]
  readonly components: readonly ComponentRow[]
}

/** Lists live deployments of an account, sorted by agent, starting after `afterAgent`. */
export async function viewDeployments(
  db: Db,
  accountId: string,
  page: {
    readonly afterAgent?: string | undefined
    readonly agent?: string
    readonly limit: number
  },
): Promise<DeploymentView[]> {
  const { afterAgent, agent, limit } = page
  const deployments = await liveDeployments(db)
    .selectAll()
    .where('account_id', '=', accountId)
    .$if(afterAgent !== undefined, (query) => query.where('agent', '>', afterAgent ?? ''))
    .$if(agent !== undefined, (query) => query.where('agent', '=', agent ?? ''))
    .orderBy('agent')
    .limit(limit)
    .execute()
  if (deployments.length === 0) return []
  const ids = deployments.map(({ id }) => id)
  const [revisions, components] = await Promise.all([
    db
      .selectFrom('revision')
      .innerJoin('deployment', 'deployment.id', 'revision.deployment_id')
      .select(['deployment.id', 'revision.build_id', 'revision.version', 'revision.endpoints'])
      .where('deployment.id', 'in', ids)
      .whereRef('revision.revision', '=', (where) =>
        where.fn.coalesce('deployment.live_revision', 'deployment.last_revision'),
      )
      .execute(),
    db
      .selectFrom('component')
      .selectAll()
      .where('deployment_id', 'in', ids)
      .orderBy('name')
      .execute(),
  ])
  const revisionOf = new Map(revisions.map((revision) => [revision.id, revision]))
  const componentsOf = Map.groupBy(components, ({ deployment_id }) => deployment_id)
  return deployments.map((deployment) => {
    const revision = revisionOf.get(deployment.id)
    return {
      deployment,
      buildId: revision?.build_id ?? '',
      version: revision?.version ?? null,
      endpoints: revision?.endpoints ?? [],
      components: componentsOf.get(deployment.id) ?? [],
    }
  })
}
