import { sql, type Kysely } from 'kysely'

import type { Role } from '../domain/role.ts'
import type { Identity } from './accounts.ts'
import { membershipJoin } from './membership-join.ts'
import type { CatalogSchema } from './tables.ts'

export interface DeployableBuild {
  readonly account_id: string
  readonly account: string
  /** Null if the viewer is not a member of the account. */
  readonly role: Role | null
  /** Null if there is no such agent, or the viewer may not see it. */
  readonly agent_id: string | null
  /** Null, like all following columns, if there is no such build. */
  readonly build_id: string | null
  readonly registry: string
  /** In the requested form. */
  readonly spec: string
  readonly version: string | null
  readonly is_yanked: boolean
  readonly image_digests_json: string
}

/** The build that a request names: by its id, or by the precedence of its version. */
export type NamedBuild = { readonly buildId: string } | { readonly versionKey: Buffer }

/** The user or the account that a build is for. An account sees its agents like its members do. */
export type Viewer = { readonly identity: Identity } | { readonly accountId: string }

/**
 * Finds the build of an agent to deploy: the named one if the viewer may see it, else the newest
 * one for members and the latest published one for others, but never a yanked one. Undefined if
 * there is no such account. `spec` is the form of the spec: the original YAML, or JSON, which is
 * faster to parse.
 */
export async function findDeployableBuild(
  db: Kysely<CatalogSchema>,
  query: {
    account: string
    name: string
    named: NamedBuild | undefined
    viewer: Viewer
    spec: 'yaml' | 'json'
  },
): Promise<DeployableBuild | undefined> {
  const { account, name, named, viewer, spec } = query
  const isInsider =
    'accountId' in viewer ? sql`(account.id = ${viewer.accountId})` : sql`(member.role IS NOT NULL)`
  const membership =
    'accountId' in viewer ? sql`LEFT JOIN member ON false` : membershipJoin(viewer.identity)
  const newest = sql`(SELECT max(own.ordinal) FROM build own
    WHERE own.agent_id = agent.id AND NOT own.is_yanked)`
  const chosen =
    named === undefined
      ? sql`build.ordinal = CASE WHEN ${isInsider} THEN ${newest} ELSE entry.build_ordinal END`
      : 'versionKey' in named
        ? sql`build.version_key = ${named.versionKey}`
        : sql`build.build_id = ${named.buildId}
            AND (${isInsider} OR build.version_key IS NOT NULL)`
  const specColumn = spec === 'yaml' ? sql`build.spec_yaml` : sql`build.spec_json`
  const { rows } = await sql<DeployableBuild>`
    SELECT account.id AS account_id, account.name AS account, member.role, agent.id AS agent_id,
      build.build_id, build.registry, ${specColumn} AS spec, build.version,
      build.is_yanked, build.image_digests_json
    FROM account
    ${membership}
    LEFT JOIN agent ON agent.account_id = account.id AND agent.name = ${name}
      AND (${isInsider} OR agent.version_count > 0)
    LEFT JOIN catalog_entry entry ON entry.agent_id = agent.id
    LEFT JOIN build ON build.agent_id = agent.id AND ${chosen}
    WHERE account.name = ${account}`.execute(db)
  return rows[0]
}
