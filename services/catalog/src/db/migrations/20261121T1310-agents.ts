import { sql, type Kysely } from 'kysely'

/** Creates the tables of agents, builds and the public list. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE EXTENSION IF NOT EXISTS pg_trgm`.execute(db)
  await sql`
    CREATE TABLE agent (
      id uuid PRIMARY KEY,
      account_id uuid NOT NULL REFERENCES account,
      name text COLLATE "C" NOT NULL,
      build_count integer NOT NULL DEFAULT 0,
      version_count integer NOT NULL DEFAULT 0,
      CONSTRAINT agent_name_unique UNIQUE (account_id, name)
    )`.execute(db)
  await sql`
    CREATE TABLE build (
      agent_id uuid REFERENCES agent,
      ordinal integer,
      build_id text COLLATE "C" NOT NULL,
      registry text NOT NULL,
      spec_yaml text NOT NULL,
      spec_json text NOT NULL,
      readme text NOT NULL DEFAULT '',
      description text,
      tags text[] NOT NULL,
      warnings_json text NOT NULL,
      content_bytes integer NOT NULL,
      register_time timestamptz NOT NULL DEFAULT now(),
      version text COLLATE "C",
      version_key bytea,
      is_stable boolean,
      publish_time timestamptz,
      is_yanked boolean NOT NULL DEFAULT false,
      PRIMARY KEY (agent_id, ordinal),
      CONSTRAINT build_id_unique UNIQUE (agent_id, build_id),
      CONSTRAINT build_version_unique UNIQUE (agent_id, version_key),
      CONSTRAINT build_published_whole
        CHECK (num_nulls(version, version_key, is_stable, publish_time) IN (0, 4))
    )`.execute(db)
  await sql`
    CREATE INDEX build_latest_version ON build (agent_id, is_stable DESC, version_key DESC)
      WHERE version_key IS NOT NULL AND NOT is_yanked`.execute(db)
  // This table contains only public data, so lists can't leak anything else. Renaming an account
  // updates it through the cascade.
  await sql`
    CREATE TABLE catalog_entry (
      agent_id uuid PRIMARY KEY REFERENCES agent,
      account_id uuid NOT NULL,
      account_name text COLLATE "C" NOT NULL,
      name text COLLATE "C" NOT NULL,
      build_ordinal integer NOT NULL,
      build_id text COLLATE "C" NOT NULL,
      registry text NOT NULL,
      version text COLLATE "C" NOT NULL,
      publish_time timestamptz NOT NULL,
      description text,
      tags text[] NOT NULL,
      search_text text NOT NULL,
      search_words tsvector NOT NULL,
      entry_bytes integer NOT NULL,
      FOREIGN KEY (agent_id, build_ordinal) REFERENCES build (agent_id, ordinal),
      CONSTRAINT catalog_entry_account
        FOREIGN KEY (account_id, account_name) REFERENCES account (id, name) ON UPDATE CASCADE
    )`.execute(db)
  await sql`CREATE UNIQUE INDEX catalog_entry_order ON catalog_entry (name, account_name)`.execute(
    db,
  )
  await sql`CREATE INDEX catalog_entry_of_account ON catalog_entry (account_name, name)`.execute(db)
  await sql`CREATE INDEX catalog_entry_tags ON catalog_entry USING gin (tags)`.execute(db)
  await sql`
    CREATE INDEX catalog_entry_search ON catalog_entry
      USING gin (search_text gin_trgm_ops, account_name gin_trgm_ops)`.execute(db)
  await sql`CREATE INDEX catalog_entry_words ON catalog_entry USING gin (search_words)`.execute(db)
}
