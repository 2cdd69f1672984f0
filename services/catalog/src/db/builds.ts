import { sql, type Kysely, type Selectable } from 'kysely'

import type { AgentTable, BuildTable, CatalogSchema } from './tables.ts'

/** An agent whose row the transaction has locked. */
export type LockedAgent = Pick<
  Selectable<AgentTable>,
  'id' | 'build_count' | 'build_gaps' | 'version_count'
>

export function countBuilds(agent: LockedAgent): number {
  return agent.build_count - agent.build_gaps
}

/** The content of a registered build, except its readme. */
export type BuildContent = Pick<
  Selectable<BuildTable>,
  | 'registry'
  | 'spec_yaml'
  | 'spec_json'
  | 'description'
  | 'tags'
  | 'warnings_json'
  | 'image_digests_json'
  | 'commit_json'
>

/** The columns of a build that are needed to publish it. */
export type StoredBuild = Pick<
  Selectable<BuildTable>,
  'ordinal' | 'build_id' | 'version' | 'is_yanked'
>

/** Finds an agent and locks it against concurrent changes to its builds. */
export async function lockAgent(
  trx: Kysely<CatalogSchema>,
  { accountId, name }: { accountId: string; name: string },
): Promise<LockedAgent | undefined> {
  return await trx
    .selectFrom('agent')
    .select(['id', 'build_count', 'build_gaps', 'version_count'])
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Finds the id of an agent, and when it was registered if that is known. */
export async function findAgent(
  db: Kysely<CatalogSchema>,
  { accountId, name }: { accountId: string; name: string },
): Promise<Pick<Selectable<AgentTable>, 'id' | 'create_time'> | undefined> {
  return await db
    .selectFrom('agent')
    .select(['id', 'create_time'])
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .executeTakeFirst()
}

/** Stores an agent without builds, unless the name exists. */
export async function insertAgent(
  trx: Kysely<CatalogSchema>,
  agent: { id: string; accountId: string; name: string },
): Promise<void> {
  await trx
    .insertInto('agent')
    .values({ id: agent.id, account_id: agent.accountId, name: agent.name })
    .onConflict((conflict) => conflict.constraint('agent_name_unique').doNothing())
    .execute()
}

const STORED_BUILD = ['ordinal', 'build_id', 'version', 'is_yanked'] as const

/** Finds a build of an agent by its id. */
export async function findBuild(
  db: Kysely<CatalogSchema>,
  { agentId, buildId }: { agentId: string; buildId: string },
): Promise<StoredBuild | undefined> {
  return await db
    .selectFrom('build')
    .select(STORED_BUILD)
    .where('agent_id', '=', agentId)
    .where('build_id', '=', buildId)
    .executeTakeFirst()
}

/** Finds the id of the newest build of an agent that is not yanked. */
export async function findNewestBuildId(
  db: Kysely<CatalogSchema>,
  agentId: string,
): Promise<string | undefined> {
  const newest = await db
    .selectFrom('build')
    .select('build_id')
    .where('agent_id', '=', agentId)
    .where('is_yanked', '=', false)
    .orderBy('ordinal', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.build_id
}

export async function readBuildContent(
  db: Kysely<CatalogSchema>,
  { agentId, ordinal }: { agentId: string; ordinal: number },
): Promise<
  Pick<Selectable<BuildTable>, 'registry' | 'spec_yaml' | 'readme' | 'image_digests_json'>
> {
  return await db
    .selectFrom('build')
    .select(['registry', 'spec_yaml', 'readme', 'image_digests_json'])
    .where('agent_id', '=', agentId)
    .where('ordinal', '=', ordinal)
    .executeTakeFirstOrThrow()
}

/** Finds the build that was published with a version of the given precedence. */
export async function findBuildByVersion(
  db: Kysely<CatalogSchema>,
  { agentId, versionKey }: { agentId: string; versionKey: Buffer },
): Promise<StoredBuild | undefined> {
  return await db
    .selectFrom('build')
    .select(STORED_BUILD)
    .where('agent_id', '=', agentId)
    .where('version_key', '=', versionKey)
    .executeTakeFirst()
}

/** Adds a build to a locked agent, as its latest. */
export async function insertBuild(
  trx: Kysely<CatalogSchema>,
  {
    agent,
    buildId,
    content,
    readme,
  }: { agent: LockedAgent; buildId: string; content: BuildContent; readme: string },
): Promise<void> {
  const ordinal = agent.build_count + 1
  await trx
    .with('counted', (query) =>
      query.updateTable('agent').set({ build_count: ordinal }).where('id', '=', agent.id),
    )
    .insertInto('build')
    .values({
      ...content,
      agent_id: agent.id,
      ordinal,
      build_id: buildId,
      readme,
      content_bytes: sizeOf(content, readme),
      version: null,
      version_key: null,
      is_stable: null,
      publish_time: null,
    })
    .execute()
}

/** Replaces the content of a build. Its registration order doesn't change. */
export async function replaceBuild(
  trx: Kysely<CatalogSchema>,
  {
    agentId,
    ordinal,
    content,
    readme,
  }: { agentId: string; ordinal: number; content: BuildContent; readme: string },
): Promise<void> {
  await trx
    .updateTable('build')
    .set({
      ...content,
      readme,
      content_bytes: sizeOf(content, readme),
    })
    .where('agent_id', '=', agentId)
    .where('ordinal', '=', ordinal)
    .execute()
}

export async function replaceReadme(
  trx: Kysely<CatalogSchema>,
  { agentId, ordinal, readme }: { agentId: string; ordinal: number; readme: string },
): Promise<void> {
  await sql`
    UPDATE build SET readme = ${readme},
      content_bytes = content_bytes - octet_length(readme) + octet_length(${readme}::text)
    WHERE agent_id = ${agentId} AND ordinal = ${ordinal}`.execute(trx)
}

/**
 * Publishes a build of a locked agent. Violates `build_version_unique` if another build has the
 * version.
 */
export async function setVersion(
  trx: Kysely<CatalogSchema>,
  build: {
    agentId: string
    ordinal: number
    version: { text: string; key: Buffer; isStable: boolean }
  },
): Promise<void> {
  await trx
    .with('counted', (query) =>
      query
        .updateTable('agent')
        .set((column) => ({ version_count: column('version_count', '+', 1) }))
        .where('id', '=', build.agentId),
    )
    .updateTable('build')
    .set({
      version: build.version.text,
      version_key: build.version.key,
      is_stable: build.version.isStable,
      publish_time: sql<Date>`now()`,
    })
    .where('agent_id', '=', build.agentId)
    .where('ordinal', '=', build.ordinal)
    .execute()
}

/** Yanks or unyanks a published build. */
export async function setYanked(
  trx: Kysely<CatalogSchema>,
  { agentId, ordinal, isYanked }: { agentId: string; ordinal: number; isYanked: boolean },
): Promise<void> {
  await trx
    .updateTable('build')
    .set({ is_yanked: isYanked })
    .where('agent_id', '=', agentId)
    .where('ordinal', '=', ordinal)
    .execute()
}

function sizeOf(
  { spec_json, warnings_json, image_digests_json, commit_json }: BuildContent,
  readme: string,
): number {
  return [spec_json, warnings_json, image_digests_json, commit_json ?? '', readme].reduce(
    (sum, text) => sum + Buffer.byteLength(text),
    0,
  )
}
