import { sql, type Kysely, type RawBuilder } from 'kysely'

import type { AgentPosition } from '../domain/page-token.ts'
import type { Search } from '../domain/search-words.ts'
import { WARNING_WEIGHT } from './agents.ts'
import type { CatalogSchema } from './tables.ts'

/** An agent in a list, with one of its builds. */
export interface ListRow {
  readonly account: string
  readonly name: string
  readonly registry: string
  readonly build_id: string
  readonly version: string | null
  readonly publish_time: Date | null
  readonly is_yanked: boolean
  readonly description: string | null
  readonly tags: string[]
  /** Null in public lists. */
  readonly register_time: Date | null
  /** Null in public lists. */
  readonly warnings_json: string | null
  /** Null unless requested. */
  readonly spec_json: string | null
  /** Null unless requested. */
  readonly readme: string | null
}

/** A page of a list. */
export interface PageQuery {
  readonly after: AgentPosition | undefined
  readonly pageSize: number
  /** The page ends with the agent that reaches this size. */
  readonly maxBytes: number
}

/** A page of the public list, with filters. */
export interface EntryQuery extends PageQuery {
  readonly account?: string | undefined
  readonly tag?: string | undefined
  readonly search?: Search
  readonly withSpec?: boolean
  readonly withReadme?: boolean
}

/** The agents of a page. */
export interface ListPage {
  readonly rows: readonly ListRow[]
  readonly hasMore: boolean
}

/**
 * Lists the public agents with their latest published versions, sorted by name, then account.
 * Without a search or a tag, only the rows of the page are read, regardless of the table's size.
 * At most `maxScanned` agents are compared with the search, in the order of the list, so agents are
 * missing unless the page is full.
 */
export async function listEntries(
  db: Kysely<CatalogSchema>,
  query: EntryQuery,
  maxScanned?: number,
): Promise<ListPage> {
  const { withSpec = false, withReadme = false } = query
  const [places, matches] = [placeConditions(query), searchConditions(query)]
  const all = sql.join([...places, ...matches], sql` AND `)
  const scanned = sql`(
    SELECT * FROM catalog_entry WHERE ${sql.join(places, sql` AND `)}
    ORDER BY name, account_name LIMIT ${maxScanned}) scanned
    WHERE ${sql.join(matches, sql` AND `)}`
  const page = sql`
    SELECT account_name AS account, name, registry, build_id, version, publish_time, description,
      tags, false AS is_yanked, NULL::timestamptz AS register_time, NULL::text AS warnings_json,
      entry_bytes AS bytes, agent_id, build_ordinal
    FROM ${maxScanned === undefined ? sql`catalog_entry WHERE ${all}` : scanned}
    ORDER BY name, account_name
    LIMIT ${query.pageSize + 1}`
  if (!withSpec && !withReadme)
    return await boundPage(db, query, page, sql`NULL::text`, sql`NULL::text`)
  const withContent = sql`
    SELECT page.*, build.spec_json AS spec, build.readme AS read_me
    FROM (${page}) page
    JOIN build ON build.agent_id = page.agent_id AND build.ordinal = page.build_ordinal`
  return await boundPage(
    db,
    query,
    withContent,
    withSpec ? sql`spec` : sql`NULL::text`,
    withReadme ? sql`read_me` : sql`NULL::text`,
  )
}

/**
 * Lists all agents of an account with their latest builds, as members see them, sorted by name.
 */
export async function listLatestBuilds(
  db: Kysely<CatalogSchema>,
  query: PageQuery & { account: string; accountId: string },
): Promise<ListPage> {
  const page = sql`
    SELECT ${query.account}::text COLLATE "C" AS account, agent.name, build.registry,
      build.build_id, build.version, build.publish_time, build.description, build.tags,
      build.is_yanked, build.register_time, build.warnings_json,
      200 + coalesce(octet_length(build.description), 0) + octet_length(build.tags::text)
        + ${WARNING_WEIGHT} * octet_length(build.warnings_json) AS bytes
    FROM agent JOIN build ON build.agent_id = agent.id AND build.ordinal = agent.build_count
    WHERE agent.account_id = ${query.accountId} AND agent.name > ${query.after?.name ?? ''}
    ORDER BY agent.name
    LIMIT ${query.pageSize + 1}`
  return await boundPage(db, query, page, sql`NULL::text`, sql`NULL::text`)
}

/** Limits a page to its number of agents, and ends it after the agent that reaches `maxBytes`. */
async function boundPage(
  db: Kysely<CatalogSchema>,
  { pageSize, maxBytes }: PageQuery,
  page: RawBuilder<unknown>,
  spec: RawBuilder<unknown>,
  readme: RawBuilder<unknown>,
): Promise<ListPage> {
  const size = sql`(
    bytes + coalesce(octet_length(${spec}), 0) + coalesce(octet_length(${readme}), 0)
  )`
  const { rows } = await sql<ListRow & { fetched: number }>`
    SELECT account, name, registry, build_id, version, publish_time, is_yanked, description, tags,
      register_time, warnings_json, spec_json, readme, fetched
    FROM (
      SELECT page.*, ${spec} AS spec_json, ${readme} AS readme, count(*) OVER () AS fetched,
        sum(${size}) OVER (ORDER BY name, account ROWS UNBOUNDED PRECEDING) - ${size}
          AS bytes_before
      FROM (${page}) page
    ) sized
    WHERE bytes_before < ${maxBytes}
    ORDER BY name, account`.execute(db)
  const kept = rows.slice(0, pageSize)
  return { rows: kept, hasMore: (rows[0]?.fetched ?? 0) > kept.length }
}

/** Conditions on the place in the list. An index in the order of the list finds these agents. */
function placeConditions({ after, account }: EntryQuery): RawBuilder<unknown>[] {
  return [
    sql`true`,
    ...(after === undefined ? [] : [sql`(name, account_name) > (${after.name}, ${after.account})`]),
    ...(account === undefined ? [] : [sql`account_name = ${account}`]),
  ]
}

function searchConditions({ tag, search }: EntryQuery): RawBuilder<unknown>[] {
  return [
    sql`true`,
    ...(tag === undefined ? [] : [sql`tags @> ARRAY[${tag}]`]),
    ...(search?.anywhere ?? []).map((word) => {
      const pattern = `%${word.replace(/[\\%_]/g, String.raw`\$&`)}%`
      return sql`(search_text LIKE ${pattern} OR account_name LIKE ${pattern})`
    }),
    // A prefix has only letters and digits, so it needs no escaping.
    ...(search?.prefixes ?? []).map(
      (prefix) =>
        sql`(search_words @@ ${`'${prefix}':*`}::tsquery OR account_name LIKE ${`${prefix}%`})`,
    ),
  ]
}
