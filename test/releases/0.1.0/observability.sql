CREATE TABLE consumed_event (
  consumer text NOT NULL,
  aggregate_id text NOT NULL,
  sequence bigint NOT NULL
);
CREATE TABLE deployment (
  deployment_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  agent text COLLATE "C" NOT NULL,
  build_id text COLLATE "C" NOT NULL,
  revision integer NOT NULL,
  k8s_namespace text COLLATE "C" NOT NULL,
  is_live boolean NOT NULL
);
CREATE TABLE kysely_migration (
  name character varying(255) NOT NULL,
  "timestamp" character varying(255) NOT NULL
);
CREATE TABLE kysely_migration_lock (
  id character varying(255) NOT NULL,
  is_locked integer DEFAULT 0 NOT NULL
);
CREATE TABLE schema_compatibility (
  only_row boolean DEFAULT true NOT NULL,
  oldest_compatible text NOT NULL
);
CREATE TABLE span_usage (
  account_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  spans bigint NOT NULL
);
INSERT INTO consumed_event (consumer, aggregate_id, sequence) OVERRIDING SYSTEM VALUE VALUES
('observability-deployments', '39451e9f-396f-40cf-b59c-53310617548d', '3'),
('observability-deployments', '716362de-9d16-41c5-a9c1-1d3c56468c55', '3'),
('observability-deployments', 'ae6e92a4-971c-477a-a5c4-5ccf9e33ef21', '5'),
('observability-deployments', 'c4b53208-4946-4caa-a101-90c483bcf06b', '11'),
('observability-deployments', 'd9f271ea-b227-4255-8549-2df798474553', '3');
INSERT INTO deployment (deployment_id, account_id, agent, build_id, revision, k8s_namespace, is_live) OVERRIDING SYSTEM VALUE VALUES
('39451e9f-396f-40cf-b59c-53310617548d', '2c7af240-7b80-41f2-9289-ef5897bab671', 'worker', 'b1', '1', 'agent-worker-b28b2b1556', 'true'),
('716362de-9d16-41c5-a9c1-1d3c56468c55', '44fae089-3025-4b37-8c1c-00e658115621', 'shared', 'b1', '1', 'agent-shared-774f6bae63', 'true'),
('ae6e92a4-971c-477a-a5c4-5ccf9e33ef21', '2c7af240-7b80-41f2-9289-ef5897bab671', 'removed', 'b1', '1', 'agent-removed-47c60b8f92', 'false'),
('c4b53208-4946-4caa-a101-90c483bcf06b', '2c7af240-7b80-41f2-9289-ef5897bab671', 'helper', 'b2', '3', 'agent-helper-d8f2275d38', 'true'),
('d9f271ea-b227-4255-8549-2df798474553', '2c7af240-7b80-41f2-9289-ef5897bab671', 'broken', 'b1', '1', 'agent-broken-bb21d80310', 'true');
INSERT INTO kysely_migration (name, "timestamp") OVERRIDING SYSTEM VALUE VALUES
('20261121T1350-consumed-event', '2026-11-23T06:27:45.482Z'),
('20261121T1400-deployments', '2026-11-23T06:27:45.757Z'),
('20261122T1940-span-usage', '2026-11-23T06:27:46.031Z');
INSERT INTO kysely_migration_lock (id, is_locked) OVERRIDING SYSTEM VALUE VALUES
('migration_lock', '0');
INSERT INTO schema_compatibility (only_row, oldest_compatible) OVERRIDING SYSTEM VALUE VALUES
('true', '20261121T1350-consumed-event');
INSERT INTO span_usage (account_id, day, spans) OVERRIDING SYSTEM VALUE VALUES
('2c7af240-7b80-41f2-9289-ef5897bab671', '2026-11-23', '1');
ALTER TABLE consumed_event ADD CONSTRAINT consumed_event_pkey PRIMARY KEY (consumer, aggregate_id);
ALTER TABLE deployment ADD CONSTRAINT deployment_pkey PRIMARY KEY (deployment_id);
ALTER TABLE kysely_migration ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
ALTER TABLE kysely_migration_lock ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);
ALTER TABLE schema_compatibility ADD CONSTRAINT schema_compatibility_only_row_check CHECK (only_row);
ALTER TABLE schema_compatibility ADD CONSTRAINT schema_compatibility_pkey PRIMARY KEY (only_row);
ALTER TABLE span_usage ADD CONSTRAINT span_usage_pkey PRIMARY KEY (account_id, day);
CREATE INDEX deployment_agent ON public.deployment USING btree (account_id, agent);
