import { sql, type Kysely } from 'kysely'

/** Creates the tables of deployments, their revisions, their objects, components and hosts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE deployment (
      id uuid PRIMARY KEY,
      account_id text COLLATE "C" NOT NULL,
      agent text COLLATE "C" NOT NULL,
      source_account_id text COLLATE "C" NOT NULL,
      source_account text COLLATE "C" NOT NULL,
      k8s_namespace text COLLATE "C" NOT NULL,
      state text NOT NULL CHECK (state IN (
        'progressing', 'ready', 'degraded', 'failed', 'undeploying', 'undeployed')),
      reason text NOT NULL DEFAULT '',
      last_revision integer NOT NULL DEFAULT 0,
      live_revision integer,
      ready_revision integer,
      attempt_id uuid,
      telemetry_secret text COLLATE "C",
      ingest_token_sha256 bytea,
      deploy_time timestamptz NOT NULL DEFAULT now(),
      deployed_by text COLLATE "C" NOT NULL,
      undeploy_time timestamptz,
      namespace_gone_time timestamptz,
      create_time timestamptz NOT NULL DEFAULT now()
    )`.execute(db)
  await sql`
    CREATE UNIQUE INDEX deployment_live ON deployment (account_id, agent)
      WHERE undeploy_time IS NULL
  `.execute(db)
  await sql`
    CREATE UNIQUE INDEX deployment_live_namespace ON deployment (k8s_namespace)
      WHERE undeploy_time IS NULL
  `.execute(db)
  await sql`
    CREATE UNIQUE INDEX deployment_ingest_token ON deployment (ingest_token_sha256)
      WHERE undeploy_time IS NULL
  `.execute(db)
  await sql`
    CREATE INDEX deployment_attempted ON deployment (attempt_id)
      WHERE attempt_id IS NOT NULL
  `.execute(db)
  await sql`
    CREATE INDEX deployment_undeploying ON deployment (id)
      WHERE state = 'undeploying' OR (undeploy_time IS NOT NULL AND namespace_gone_time IS NULL)
  `.execute(db)
  await sql`
    CREATE TABLE revision (
      deployment_id uuid NOT NULL REFERENCES deployment ON DELETE CASCADE,
      revision integer NOT NULL,
      state text NOT NULL CHECK (state IN (
        'pending', 'applying', 'applied', 'partial', 'failed', 'superseded')),
      build_id text COLLATE "C" NOT NULL,
      version text,
      registry text NOT NULL,
      spec_content text NOT NULL,
      account text COLLATE "C" NOT NULL,
      source_account text COLLATE "C" NOT NULL,
      template jsonb NOT NULL,
      selection jsonb NOT NULL,
      secrets jsonb NOT NULL,
      fingerprint bytea NOT NULL,
      fully_applied boolean NOT NULL DEFAULT false,
      errors jsonb NOT NULL DEFAULT '[]',
      rolled_back_to integer,
      created_by text COLLATE "C" NOT NULL,
      request_id text NOT NULL,
      traceparent text NOT NULL,
      create_time timestamptz NOT NULL DEFAULT now(),
      finish_time timestamptz,
      PRIMARY KEY (deployment_id, revision)
    )`.execute(db)
  await sql`
    CREATE TABLE cluster_object (
      deployment_id uuid NOT NULL REFERENCES deployment ON DELETE CASCADE,
      api_version text COLLATE "C" NOT NULL,
      kind text COLLATE "C" NOT NULL,
      name text COLLATE "C" NOT NULL,
      component text COLLATE "C" NOT NULL,
      revision integer NOT NULL,
      uid text NOT NULL,
      resource_version text NOT NULL,
      generation bigint NOT NULL,
      managed_time text NOT NULL,
      PRIMARY KEY (deployment_id, kind, name, api_version)
    )`.execute(db)
  await sql`
    CREATE TABLE component (
      deployment_id uuid NOT NULL REFERENCES deployment ON DELETE CASCADE,
      name text COLLATE "C" NOT NULL,
      kind text NOT NULL,
      state text NOT NULL,
      reason text NOT NULL,
      pods jsonb NOT NULL,
      PRIMARY KEY (deployment_id, name)
    )`.execute(db)
  await sql`
    CREATE TABLE ingress_host (
      host text COLLATE "C" PRIMARY KEY,
      deployment_id uuid NOT NULL REFERENCES deployment ON DELETE CASCADE
    )`.execute(db)
  await sql`CREATE INDEX ingress_host_deployment ON ingress_host (deployment_id)`.execute(db)
}
