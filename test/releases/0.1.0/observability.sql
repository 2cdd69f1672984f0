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
('observability-deployments', '0c511cf0-5fc9-4a46-9c0d-92193d31fe89', '3'),
('observability-deployments', '301b5632-c462-4bfe-9f8b-69c02d10014f', '5'),
('observability-deployments', '4c49bdd4-fe32-401c-899c-251a77e31da9', '3'),
('observability-deployments', '4ec9e40f-466f-4dfe-b270-56f8e20161cc', '11'),
('observability-deployments', '6ee268a3-bf00-4df0-94e3-54361a175612', '3');
INSERT INTO deployment (deployment_id, account_id, agent, build_id, revision, k8s_namespace, is_live) OVERRIDING SYSTEM VALUE VALUES
('0c511cf0-5fc9-4a46-9c0d-92193d31fe89', '6caee2dd-7506-406e-8939-900c8006a4bd', 'broken', 'b1', '1', 'agent-broken-d4649fed0c', 'true'),
('301b5632-c462-4bfe-9f8b-69c02d10014f', '6caee2dd-7506-406e-8939-900c8006a4bd', 'removed', 'b1', '1', 'agent-removed-857813989c', 'false'),
('4c49bdd4-fe32-401c-899c-251a77e31da9', '1ec077eb-eaa1-40a3-a43c-79c7de8a430c', 'shared', 'b1', '1', 'agent-shared-e55d806404', 'true'),
('4ec9e40f-466f-4dfe-b270-56f8e20161cc', '6caee2dd-7506-406e-8939-900c8006a4bd', 'helper', 'b2', '3', 'agent-helper-660f38e854', 'true'),
('6ee268a3-bf00-4df0-94e3-54361a175612', '6caee2dd-7506-406e-8939-900c8006a4bd', 'worker', 'b1', '1', 'agent-worker-8db600a322', 'true');
INSERT INTO kysely_migration (name, "timestamp") OVERRIDING SYSTEM VALUE VALUES
('20261121T1350-consumed-event', '2026-11-23T06:50:40.383Z'),
('20261121T1400-deployments', '2026-11-23T06:50:40.407Z'),
('20261122T1940-span-usage', '2026-11-23T06:50:40.461Z');
INSERT INTO kysely_migration_lock (id, is_locked) OVERRIDING SYSTEM VALUE VALUES
('migration_lock', '0');
INSERT INTO schema_compatibility (only_row, oldest_compatible) OVERRIDING SYSTEM VALUE VALUES
('true', '20261121T1350-consumed-event');
INSERT INTO span_usage (account_id, day, spans) OVERRIDING SYSTEM VALUE VALUES
('6caee2dd-7506-406e-8939-900c8006a4bd', '2026-11-23', '1');
ALTER TABLE consumed_event ADD CONSTRAINT consumed_event_pkey PRIMARY KEY (consumer, aggregate_id);
ALTER TABLE deployment ADD CONSTRAINT deployment_pkey PRIMARY KEY (deployment_id);
ALTER TABLE kysely_migration ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
ALTER TABLE kysely_migration_lock ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);
ALTER TABLE schema_compatibility ADD CONSTRAINT schema_compatibility_only_row_check CHECK (only_row);
ALTER TABLE schema_compatibility ADD CONSTRAINT schema_compatibility_pkey PRIMARY KEY (only_row);
ALTER TABLE span_usage ADD CONSTRAINT span_usage_pkey PRIMARY KEY (account_id, day);
CREATE INDEX deployment_agent ON public.deployment USING btree (account_id, agent);
