import { sql, type Kysely } from 'kysely'

import type { Role } from '../domain/role.ts'
import type { Identity } from './accounts.ts'
import { membershipJoin } from './membership-join.ts'
import type { CatalogSchema } from './tables.ts'

/** A build in the details of an agent. */
export interface BuildRow {
  readonly build_id: string
  readonly registry: string
  readonly version: string | null
  readonly publish_time: Date | null
  readonly register_time: Date
  readonly is_yanked: boolean
  /** Null, like the next four, if the response would be too large. */
  readonly warnings_json: string | null
  readonly spec_json: string | null
  readonly image_digests_json: string | null
  readonly readme: string | null
  readonly commit_json: string | null
}

/** An agent with the builds that a user may see. */
export interface AgentView {
  readonly account: string
  readonly role: Role | null
  /** Null if the account has no such agent. */
  readonly agentId: string | null
  readonly builds: readonly BuildRow[]
  /** Whether there are more builds. */
  readonly hasMore: boolean
}

/** The maximum number of builds in a response. Their metadata fits into one message. */
const MAX_BUILDS = 1_000
/**
 * A warning is a message within the message of a build, and takes as much time to send as ten times
 * its bytes of text.
 */
export const WARNING_WEIGHT = 10
/** What the warnings of a build count in addition to their bytes. */
const moreForWarnings = sql.raw(`${WARNING_WEIGHT - 1} * octet_length(build.warnings_json)`)
/** The columns that both branches of the query read. */
const BUILD_COLUMNS = sql.raw(
  `ordinal, version_key, build_id, registry, version, publish_time, register_time, is_yanked,
   warnings_json, spec_json, image_digests_json, readme, commit_json, content_bytes`,
)

/**
 * Finds an agent with at most 1000 builds: for members all builds, newest registration first; for
 * others the published ones, highest version first. Undefined if there is no such account. Builds
 * beyond the first `maxBytes`, except the first of all, lack spec, readme and warnings.
 */
export async function findAgentView(
  db: Kysely<CatalogSchema>,
  query: { account: string; name: string; identity: Identity | undefined; maxBytes: number },
): Promise<AgentView | undefined> {
  const { account, name, identity, maxBytes } = query
  const isWhole = sql`(bytes <= ${maxBytes} OR place = 1)`
  // Each branch reads its index from the end, and only one of them is executed.
  const { rows } = await sql<
    BuildRow & { account: string; role: Role | null; agent_id: string | null }
  >`
    SELECT account, role, agent_id, build_id, registry, version, publish_time, register_time,
      is_yanked,
      CASE WHEN ${isWhole} THEN warnings_json END AS warnings_json,
      CASE WHEN ${isWhole} THEN spec_json END AS spec_json,
      CASE WHEN ${isWhole} THEN image_digests_json END AS image_digests_json,
      CASE WHEN ${isWhole} THEN readme END AS readme,
      CASE WHEN ${isWhole} THEN commit_json END AS commit_json
    FROM (
      SELECT account.name AS account, member.role, agent.id AS agent_id, build.build_id,
        build.registry, build.version, build.publish_time, build.register_time, build.is_yanked,
        build.warnings_json, build.spec_json, build.image_digests_json, build.readme,
        build.commit_json,
        sum(
          build.content_bytes + CASE WHEN member.role IS NULL THEN 0 ELSE ${moreForWarnings} END
        ) OVER place AS bytes,
        row_number() OVER place AS place
      FROM account
      ${membershipJoin(identity)}
      LEFT JOIN agent ON agent.account_id = account.id AND agent.name = ${name}
      LEFT JOIN LATERAL (
        (SELECT ${BUILD_COLUMNS} FROM build
          WHERE build.agent_id = agent.id AND member.role IS NOT NULL
          ORDER BY ordinal DESC LIMIT ${MAX_BUILDS + 1})
        UNION ALL
        (SELECT ${BUILD_COLUMNS} FROM build
          WHERE build.agent_id = agent.id AND member.role IS NULL AND version_key IS NOT NULL
          ORDER BY version_key DESC LIMIT ${MAX_BUILDS + 1})
      ) build ON true
      WHERE account.name = ${account}
      WINDOW place AS (
        ORDER BY CASE WHEN member.role IS NOT NULL THEN build.ordinal END DESC,
          build.version_key DESC
        ROWS UNBOUNDED PRECEDING
      )
    ) visible
    ORDER BY place`.execute(db)
  const [first] = rows
  if (first === undefined) return undefined
  return {
    account: first.account,
    role: first.role,
    agentId: first.agent_id,
    builds: rows.slice(0, MAX_BUILDS).filter((row) => row.build_id !== null),
    hasMore: rows.length > MAX_BUILDS,
  }
}
