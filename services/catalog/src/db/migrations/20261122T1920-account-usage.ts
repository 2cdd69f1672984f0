import { sql, type Kysely } from 'kysely'

/**
 * Counts what each account stores. Triggers count, because the previous release writes as well.
 * They also lock the account's row, so that of two concurrent changes the second sees the first.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE account_usage (
      account_id uuid PRIMARY KEY REFERENCES account ON DELETE CASCADE,
      agents integer NOT NULL DEFAULT 0,
      builds integer NOT NULL DEFAULT 0,
      content_bytes bigint NOT NULL DEFAULT 0
    )`.execute(db)
  await sql`
    CREATE FUNCTION count_agents() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        INSERT INTO account_usage AS usage (account_id, agents)
          SELECT account_id, count(*) FROM changed GROUP BY account_id
          ON CONFLICT (account_id) DO UPDATE SET agents = usage.agents + excluded.agents;
      ELSE
        UPDATE account_usage AS usage SET agents = usage.agents - change.agents
          FROM (SELECT account_id, count(*) AS agents FROM changed GROUP BY account_id) change
          WHERE usage.account_id = change.account_id;
      END IF;
      RETURN NULL;
    END $$`.execute(db)
  await sql`
    CREATE FUNCTION count_builds() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      sign integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
    BEGIN
      UPDATE account_usage AS usage SET
          builds = usage.builds + sign * change.builds,
          content_bytes = usage.content_bytes + sign * change.bytes
        FROM (
          SELECT agent.account_id, count(*) AS builds,
            sum(changed.content_bytes + octet_length(changed.spec_yaml)) AS bytes
          FROM changed JOIN agent ON agent.id = changed.agent_id
          GROUP BY agent.account_id
        ) change
        WHERE usage.account_id = change.account_id;
      RETURN NULL;
    END $$`.execute(db)
  await sql`
    CREATE FUNCTION resize_build() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE account_usage AS usage SET content_bytes = usage.content_bytes
          + NEW.content_bytes + octet_length(NEW.spec_yaml)
          - OLD.content_bytes - octet_length(OLD.spec_yaml)
        FROM agent
        WHERE agent.id = NEW.agent_id AND usage.account_id = agent.account_id;
      RETURN NULL;
    END $$`.execute(db)
  for (const table of ['agent', 'build']) {
    await sql`
      CREATE TRIGGER ${sql.raw(table)}_inserted AFTER INSERT ON ${sql.table(table)}
        REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION count_${sql.raw(table)}s()`.execute(db)
    await sql`
      CREATE TRIGGER ${sql.raw(table)}_deleted AFTER DELETE ON ${sql.table(table)}
        REFERENCING OLD TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION count_${sql.raw(table)}s()`.execute(db)
  }
  await sql`
    CREATE TRIGGER build_resized AFTER UPDATE OF spec_yaml, content_bytes ON build
      FOR EACH ROW EXECUTE FUNCTION resize_build()`.execute(db)
  // Creating the triggers has locked the tables, so no change is missed.
  await sql`
    INSERT INTO account_usage (account_id, agents, builds, content_bytes)
    SELECT agent.account_id, count(DISTINCT agent.id), count(build.agent_id),
      coalesce(sum(build.content_bytes + octet_length(build.spec_yaml)), 0)
    FROM agent LEFT JOIN build ON build.agent_id = agent.id
    GROUP BY agent.account_id`.execute(db)
  // For the retention of unpublished builds.
  await sql`
    CREATE INDEX build_unpublished ON build (agent_id, ordinal) WHERE version_key IS NULL
  `.execute(db)
}
