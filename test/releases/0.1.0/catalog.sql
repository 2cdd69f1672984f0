CREATE TABLE account (
  id uuid NOT NULL,
  name text COLLATE "C" NOT NULL,
  type text NOT NULL,
  personal_user_id uuid,
  create_time timestamp with time zone DEFAULT now() NOT NULL,
  created_by uuid
);
CREATE TABLE account_name (
  name text COLLATE "C" NOT NULL,
  account_id uuid NOT NULL,
  held_until timestamp with time zone,
  held_by uuid
);
CREATE TABLE account_usage (
  account_id uuid NOT NULL,
  agents integer DEFAULT 0 NOT NULL,
  builds integer DEFAULT 0 NOT NULL,
  content_bytes bigint DEFAULT 0 NOT NULL
);
CREATE TABLE agent (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  name text COLLATE "C" NOT NULL,
  build_count integer DEFAULT 0 NOT NULL,
  version_count integer DEFAULT 0 NOT NULL,
  build_gaps integer DEFAULT 0 NOT NULL,
  create_time timestamp with time zone DEFAULT now()
);
CREATE TABLE aggregate_sequence (
  aggregate_id text NOT NULL,
  last bigint NOT NULL
);
CREATE TABLE app_user (
  id uuid NOT NULL,
  realm text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  email text,
  first_name text,
  last_name text,
  create_time timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE build (
  agent_id uuid NOT NULL,
  ordinal integer NOT NULL,
  build_id text COLLATE "C" NOT NULL,
  registry text NOT NULL,
  spec_yaml text NOT NULL,
  spec_json text NOT NULL,
  readme text DEFAULT ''::text NOT NULL,
  description text,
  tags text[] NOT NULL,
  warnings_json text NOT NULL,
  content_bytes integer NOT NULL,
  register_time timestamp with time zone DEFAULT now() NOT NULL,
  version text COLLATE "C",
  version_key bytea,
  is_stable boolean,
  publish_time timestamp with time zone,
  is_yanked boolean DEFAULT false NOT NULL,
  image_digests_json text DEFAULT '{}'::text NOT NULL
);
CREATE TABLE catalog_entry (
  agent_id uuid NOT NULL,
  account_id uuid NOT NULL,
  account_name text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  build_ordinal integer NOT NULL,
  build_id text COLLATE "C" NOT NULL,
  registry text NOT NULL,
  version text COLLATE "C" NOT NULL,
  publish_time timestamp with time zone NOT NULL,
  description text,
  tags text[] NOT NULL,
  search_text text NOT NULL,
  search_words tsvector NOT NULL,
  entry_bytes integer NOT NULL
);
CREATE TABLE idempotency_key (
  scope bytea NOT NULL,
  fingerprint text NOT NULL,
  response bytea NOT NULL,
  create_time timestamp with time zone DEFAULT now() NOT NULL,
  owner bytea
);
CREATE TABLE kysely_migration (
  name character varying(255) NOT NULL,
  "timestamp" character varying(255) NOT NULL
);
CREATE TABLE kysely_migration_lock (
  id character varying(255) NOT NULL,
  is_locked integer DEFAULT 0 NOT NULL
);
CREATE TABLE member (
  account_id uuid NOT NULL,
  user_id uuid NOT NULL,
  role text NOT NULL,
  join_time timestamp with time zone DEFAULT now(),
  is_confirmed boolean DEFAULT false NOT NULL
);
CREATE TABLE outbox (
  "position" bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  id uuid NOT NULL,
  account_id text NOT NULL,
  aggregate_id text NOT NULL,
  sequence bigint NOT NULL,
  subject text NOT NULL,
  payload bytea NOT NULL,
  commit_time timestamp with time zone NOT NULL,
  published_at timestamp with time zone,
  stream_id text
);
CREATE TABLE schema_compatibility (
  only_row boolean DEFAULT true NOT NULL,
  oldest_compatible text NOT NULL
);
INSERT INTO account (id, name, type, personal_user_id, create_time, created_by) OVERRIDING SYSTEM VALUE VALUES
('2c7af240-7b80-41f2-9289-ef5897bab671', 'alice', 'personal', 'c32bee6a-d474-4752-a3ce-371e62e622f2', '2026-11-23 06:27:57.058896+00', 'c32bee6a-d474-4752-a3ce-371e62e622f2'),
('44fae089-3025-4b37-8c1c-00e658115621', 'bob', 'personal', 'bcb9a699-c954-484f-9add-08170ce4440d', '2026-11-23 06:27:57.840998+00', 'bcb9a699-c954-484f-9add-08170ce4440d'),
('c6640040-bc7d-46f3-bf30-b240e281339a', 'acme-labs', 'team', NULL, '2026-11-23 06:27:58.245603+00', 'c32bee6a-d474-4752-a3ce-371e62e622f2');
INSERT INTO account_name (name, account_id, held_until, held_by) OVERRIDING SYSTEM VALUE VALUES
('acme', 'c6640040-bc7d-46f3-bf30-b240e281339a', '2026-12-23 06:27:58.765678+00', 'c32bee6a-d474-4752-a3ce-371e62e622f2'),
('acme-labs', 'c6640040-bc7d-46f3-bf30-b240e281339a', NULL, NULL),
('alice', '2c7af240-7b80-41f2-9289-ef5897bab671', NULL, NULL),
('bob', '44fae089-3025-4b37-8c1c-00e658115621', NULL, NULL);
INSERT INTO account_usage (account_id, agents, builds, content_bytes) OVERRIDING SYSTEM VALUE VALUES
('2c7af240-7b80-41f2-9289-ef5897bab671', '4', '6', '3744'),
('c6640040-bc7d-46f3-bf30-b240e281339a', '2', '2', '2317');
INSERT INTO agent (id, account_id, name, build_count, version_count, build_gaps, create_time) OVERRIDING SYSTEM VALUE VALUES
('50c782f2-0bfe-4d3b-9628-be3b45825817', '2c7af240-7b80-41f2-9289-ef5897bab671', 'removed', '1', '0', '0', '2026-11-23 06:28:35.155463+00'),
('68e4af4f-f7fc-4cca-a4a8-f8afae2f6ecc', 'c6640040-bc7d-46f3-bf30-b240e281339a', 'handbook', '1', '0', '0', '2026-11-23 06:28:01.852819+00'),
('962fba9e-df7c-41b6-a20e-df36fa50f932', '2c7af240-7b80-41f2-9289-ef5897bab671', 'helper', '3', '2', '0', '2026-11-23 06:27:59.098844+00'),
('9e597a25-9563-42e2-8954-f0273c2efcd4', 'c6640040-bc7d-46f3-bf30-b240e281339a', 'shared', '1', '1', '0', '2026-11-23 06:28:02.088049+00'),
('cdb3a874-de68-4628-bc6c-f7370c70a825', '2c7af240-7b80-41f2-9289-ef5897bab671', 'broken', '1', '0', '0', '2026-11-23 06:28:31.280998+00'),
('dc528eae-6884-46a1-9860-83bed7f62498', '2c7af240-7b80-41f2-9289-ef5897bab671', 'worker', '1', '0', '0', '2026-11-23 06:28:23.717896+00');
INSERT INTO aggregate_sequence (aggregate_id, last) OVERRIDING SYSTEM VALUE VALUES
('2c7af240-7b80-41f2-9289-ef5897bab671', '1'),
('44fae089-3025-4b37-8c1c-00e658115621', '1'),
('50c782f2-0bfe-4d3b-9628-be3b45825817', '1'),
('68e4af4f-f7fc-4cca-a4a8-f8afae2f6ecc', '1'),
('962fba9e-df7c-41b6-a20e-df36fa50f932', '8'),
('999a0a24-dcfc-4b73-95b6-fe48b23746de', '2'),
('9e597a25-9563-42e2-8954-f0273c2efcd4', '2'),
('c6640040-bc7d-46f3-bf30-b240e281339a', '3'),
('cdb3a874-de68-4628-bc6c-f7370c70a825', '1'),
('dc528eae-6884-46a1-9860-83bed7f62498', '1');
INSERT INTO app_user (id, realm, subject, email, first_name, last_name, create_time) OVERRIDING SYSTEM VALUE VALUES
('bcb9a699-c954-484f-9add-08170ce4440d', 'test', 'bob', NULL, NULL, NULL, '2026-11-23 06:27:57.840998+00'),
('c32bee6a-d474-4752-a3ce-371e62e622f2', 'test', 'alice', NULL, NULL, NULL, '2026-11-23 06:27:57.058896+00');
INSERT INTO build (agent_id, ordinal, build_id, registry, spec_yaml, spec_json, readme, description, tags, warnings_json, content_bytes, register_time, version, version_key, is_stable, publish_time, is_yanked, image_digests_json) OVERRIDING SYSTEM VALUE VALUES
('50c782f2-0bfe-4d3b-9628-be3b45825817', '1', 'b1', 'oci://registry.example/team', 'spec: astro/v1
name: removed
meta:
  description: Answers questions
  tags: [example, support]
agent:
  image: "slipway.local/pause:pause-c1259bbb21f2"
  inputs:
    token: {name: HELPER_TOKEN, datatype: string, secret: true}
    greeting: {name: GREETING, datatype: string, default: hello}
', '{"spec":"astro/v1","name":"removed","meta":{"description":"Answers questions","tags":["example","support"]},"agent":{"image":"slipway.local/pause:pause-c1259bbb21f2","inputs":{"token":{"name":"HELPER_TOKEN","datatype":"string","secret":true},"greeting":{"name":"GREETING","datatype":"string","default":"hello"}}}}', '# alice/removed
', 'Answers questions', '{example,support}', '[]', '333', '2026-11-23 06:28:35.155463+00', NULL, NULL, NULL, NULL, 'false', '{}'),
('68e4af4f-f7fc-4cca-a4a8-f8afae2f6ecc', '1', 'b1', 'oci://registry.example/team', 'spec: astro/v1
name: handbook
meta:
  description: Answers questions
  tags: [example, support]
agent:
  image: "slipway.local/pause:pause-c1259bbb21f2"
  inputs:
    token: {name: HELPER_TOKEN, datatype: string, secret: true}
    greeting: {name: GREETING, datatype: string, default: hello}
unknown: field
models:
  main: {provider: openai}
knowledge:
  cache: {provider: redis, persistent: true}
  db: {provider: postgres, persistent: true}
tools:
  calculator:
    container:
      image: registry.example/calculator:1
      port: 9000
      environment: {CACHE: "${knowledge.cache.url}", OTHER: "${knowledge.none.url}"}
ingestion:
  hook: {container: {image: registry.example/hook:1, port: 8090}, trigger: {type: webhook}}
', '{"spec":"astro/v1","name":"handbook","meta":{"description":"Answers questions","tags":["example","support"]},"agent":{"image":"slipway.local/pause:pause-c1259bbb21f2","inputs":{"token":{"name":"HELPER_TOKEN","datatype":"string","secret":true},"greeting":{"name":"GREETING","datatype":"string","default":"hello"}}},"unknown":"field","models":{"main":{"provider":"openai"}},"knowledge":{"cache":{"provider":"redis","persistent":true},"db":{"provider":"postgres","persistent":true}},"tools":{"calculator":{"container":{"image":"registry.example/calculator:1","port":9000,"environment":{"CACHE":"${knowledge.cache.url}","OTHER":"${knowledge.none.url}"}}}},"ingestion":{"hook":{"container":{"image":"registry.example/hook:1","port":8090},"trigger":{"type":"webhook"}}}}', '# acme-labs/handbook
', 'Answers questions', '{example,support}', '[{"field":"tools.calculator.container.environment.OTHER","message":"refers to a component that does not run in a container"},{"field":"unknown","message":"unknown key: ignored"}]', '965', '2026-11-23 06:28:01.852819+00', NULL, NULL, NULL, NULL, 'false', '{}'),
('962fba9e-df7c-41b6-a20e-df36fa50f932', '1', 'b1', 'oci://registry.example/team', 'spec: astro/v1
name: helper
meta:
  description: Answers questions
  tags: [example, support]
agent:
  image: "slipway.local/pause:pause-c1259bbb21f2"
  inputs:
    token: {name: HELPER_TOKEN, datatype: string, secret: true}
    greeting: {name: GREETING, datatype: string, default: hello}
', '{"spec":"astro/v1","name":"helper","meta":{"description":"Answers questions","tags":["example","support"]},"agent":{"image":"slipway.local/pause:pause-c1259bbb21f2","inputs":{"token":{"name":"HELPER_TOKEN","datatype":"string","secret":true},"greeting":{"name":"GREETING","datatype":"string","default":"hello"}}}}', '# alice/helper
', 'Answers questions', '{example,support}', '[]', '331', '2026-11-23 06:27:59.098844+00', '1.0.0', E'\\x013101300130ff', 'true', '2026-11-23 06:27:59.291018+00', 'true', '{}'),
('962fba9e-df7c-41b6-a20e-df36fa50f932', '2', 'b2', 'oci://registry.example/team', 'spec: astro/v1
name: helper
meta:
  description: Answers questions
  tags: [example, support]
agent:
  image: "slipway.local/pause:pause-c1259bbb21f2"
  inputs:
    token: {name: HELPER_TOKEN, datatype: string, secret: true}
    greeting: {name: GREETING, datatype: string, default: hello}
# Second build
', '{"spec":"astro/v1","name":"helper","meta":{"description":"Answers questions","tags":["example","support"]},"agent":{"image":"slipway.local/pause:pause-c1259bbb21f2","inputs":{"token":{"name":"HELPER_TOKEN","datatype":"string","secret":true},"greeting":{"name":"GREETING","datatype":"string","default":"hello"}}}}', '# alice/helper
', 'Answers questions', '{example,support}', '[]', '331', '2026-11-23 06:27:59.637401+00', '1.1.0', E'\\x013101310130ff', 'true', '2026-11-23 06:27:59.880407+00', 'false', '{}'),
('962fba9e-df7c-41b6-a20e-df36fa50f932', '3', 'b3', 'oci://registry.example/team', 'spec: astro/v1
name: helper
meta:
  description: Answers questions
  tags: [example, support]
agent:
  image: "slipway.local/pause:pause-c1259bbb21f2"
  inputs:
    token: {name: HELPER_TOKEN, datatype: string, secret: true}
    greeting: {name: GREETING, datatype: string, default: hello}
# Third build
', '{"spec":"astro/v1","name":"helper","meta":{"description":"Answers questions","tags":["example","support"]},"agent":{"image":"slipway.local/pause:pause-c1259bbb21f2","inputs":{"token":{"name":"HELPER_TOKEN","datatype":"string","secret":true},"greeting":{"name":"GREETING","datatype":"string","default":"hello"}}}}', '# alice/helper
', 'Answers questions', '{example,support}', '[]', '331', '2026-11-23 06:27:59.979027+00', NULL, NULL, NULL, NULL, 'false', '{}'),
('9e597a25-9563-42e2-8954-f0273c2efcd4', '1', 'b1', 'oci://registry.example/team', 'spec: astro/v1
name: shared
meta:
  description: Answers questions
  tags: [example, support]
agent:
  image: "slipway.local/pause:pause-c1259bbb21f2"
  inputs:
    token: {name: HELPER_TOKEN, datatype: string, secret: true}
    greeting: {name: GREETING, datatype: string, default: hello}
', '{"spec":"astro/v1","name":"shared","meta":{"description":"Answers questions","tags":["example","support"]},"agent":{"image":"slipway.local/pause:pause-c1259bbb21f2","inputs":{"token":{"name":"HELPER_TOKEN","datatype":"string","secret":true},"greeting":{"name":"GREETING","datatype":"string","default":"hello"}}}}', '# acme-labs/shared
', 'Answers questions', '{example,support}', '[]', '335', '2026-11-23 06:28:02.088049+00', '2.0.0', E'\\x013201300130ff', 'true', '2026-11-23 06:28:02.280233+00', 'false', '{}'),
('cdb3a874-de68-4628-bc6c-f7370c70a825', '1', 'b1', 'oci://registry.example/team', 'spec: astro/v1
name: broken
meta:
  description: Answers questions
  tags: [example, support]
agent:
  image: "slipway.local/no-such-image:1"
  inputs:
    token: {name: HELPER_TOKEN, datatype: string, secret: true}
    greeting: {name: GREETING, datatype: string, default: hello}
', '{"spec":"astro/v1","name":"broken","meta":{"description":"Answers questions","tags":["example","support"]},"agent":{"image":"slipway.local/no-such-image:1","inputs":{"token":{"name":"HELPER_TOKEN","datatype":"string","secret":true},"greeting":{"name":"GREETING","datatype":"string","default":"hello"}}}}', '# alice/broken
', 'Answers questions', '{example,support}', '[]', '322', '2026-11-23 06:28:31.280998+00', NULL, NULL, NULL, NULL, 'false', '{}'),
('dc528eae-6884-46a1-9860-83bed7f62498', '1', 'b1', 'oci://registry.example/team', 'spec: astro/v1
name: worker
agent: {image: "slipway.local/pause:pause-c1259bbb21f2"}
ingestion:
  docs: {container: {image: "slipway.local/pause:pause-c1259bbb21f2"}, trigger: {type: manual}}
  nightly: {container: {image: "slipway.local/pause:pause-c1259bbb21f2"}, trigger: {type: schedule}}
', '{"spec":"astro/v1","name":"worker","agent":{"image":"slipway.local/pause:pause-c1259bbb21f2"},"ingestion":{"docs":{"container":{"image":"slipway.local/pause:pause-c1259bbb21f2"},"trigger":{"type":"manual"}},"nightly":{"container":{"image":"slipway.local/pause:pause-c1259bbb21f2"},"trigger":{"type":"schedule"}}}}', '# alice/worker
', NULL, '{}', '[]', '332', '2026-11-23 06:28:23.717896+00', NULL, NULL, NULL, NULL, 'false', '{}');
INSERT INTO catalog_entry (agent_id, account_id, account_name, name, build_ordinal, build_id, registry, version, publish_time, description, tags, search_text, search_words, entry_bytes) OVERRIDING SYSTEM VALUE VALUES
('962fba9e-df7c-41b6-a20e-df36fa50f932', '2c7af240-7b80-41f2-9289-ef5897bab671', 'alice', 'helper', '2', 'b2', 'oci://registry.example/team', '1.1.0', '2026-11-23 06:27:59.88+00', 'Answers questions', '{example,support}', 'helper
example
support
answers questions', '''answers'' ''example'' ''helper'' ''questions'' ''support''', '299'),
('9e597a25-9563-42e2-8954-f0273c2efcd4', 'c6640040-bc7d-46f3-bf30-b240e281339a', 'acme-labs', 'shared', '1', 'b1', 'oci://registry.example/team', '2.0.0', '2026-11-23 06:28:02.28+00', 'Answers questions', '{example,support}', 'shared
example
support
answers questions', '''answers'' ''example'' ''questions'' ''shared'' ''support''', '299');
INSERT INTO kysely_migration (name, "timestamp") OVERRIDING SYSTEM VALUE VALUES
('20261121T1250-outbox', '2026-11-23T06:27:35.281Z'),
('20261121T1300-accounts', '2026-11-23T06:27:35.381Z'),
('20261121T1310-agents', '2026-11-23T06:27:35.683Z'),
('20261121T1410-idempotency', '2026-11-23T06:27:35.733Z'),
('20261122T1910-build-gaps', '2026-11-23T06:27:35.747Z'),
('20261122T1920-account-usage', '2026-11-23T06:27:35.839Z'),
('20261122T1930-memberships', '2026-11-23T06:27:35.914Z'),
('20261122T1940-image-digests', '2026-11-23T06:27:35.926Z'),
('20261122T1950-deletions', '2026-11-23T06:27:35.945Z'),
('20261123T0310-idempotency-owner', '2026-11-23T06:27:36.018Z');
INSERT INTO kysely_migration_lock (id, is_locked) OVERRIDING SYSTEM VALUE VALUES
('migration_lock', '0');
INSERT INTO member (account_id, user_id, role, join_time, is_confirmed) OVERRIDING SYSTEM VALUE VALUES
('2c7af240-7b80-41f2-9289-ef5897bab671', 'c32bee6a-d474-4752-a3ce-371e62e622f2', 'owner', '2026-11-23 06:27:57.058896+00', 'true'),
('44fae089-3025-4b37-8c1c-00e658115621', 'bcb9a699-c954-484f-9add-08170ce4440d', 'owner', '2026-11-23 06:27:57.840998+00', 'true'),
('c6640040-bc7d-46f3-bf30-b240e281339a', 'bcb9a699-c954-484f-9add-08170ce4440d', 'admin', '2026-11-23 06:27:58.356793+00', 'true'),
('c6640040-bc7d-46f3-bf30-b240e281339a', 'c32bee6a-d474-4752-a3ce-371e62e622f2', 'owner', '2026-11-23 06:27:58.245603+00', 'true');
INSERT INTO outbox ("position", id, account_id, aggregate_id, sequence, subject, payload, commit_time, published_at, stream_id) OVERRIDING SYSTEM VALUE VALUES
('1', 'ff67913b-d9c8-44a9-bf12-84c9a8f59079', '2c7af240-7b80-41f2-9289-ef5897bab671', '2c7af240-7b80-41f2-9289-ef5897bab671', '1', 'slipway.account.2c7af240-7b80-41f2-9289-ef5897bab671.2c7af240-7b80-41f2-9289-ef5897bab671.created', E'\\x0a2466663637393133622d643963382d343461392d626631322d383463396138663539303739120b08edb98fd80610c081c5511a2432633761663234302d376238302d343166322d393238392d656635383937626162363731222432633761663234302d376238302d343166322d393238392d6566353839376261623637312801322435623265323962652d323434652d346462372d393934342d6266663262323631363063663a3730302d39386331306533313838386233363736663938323738313731653839323038612d366636383139356563343864376465302d303152070a05616c696365', '2026-11-23 06:27:57.171+00', '2026-11-23 06:27:57.357768+00', '2026-11-23T06:27:37.003024991Z'),
('10', '8c78dbf3-418b-4778-a0e4-8c908f855328', '2c7af240-7b80-41f2-9289-ef5897bab671', '962fba9e-df7c-41b6-a20e-df36fa50f932', '5', 'slipway.build.2c7af240-7b80-41f2-9289-ef5897bab671.962fba9e-df7c-41b6-a20e-df36fa50f932.registered', E'\\x0a2438633738646266332d343138622d343737382d613065342d386339303866383535333238120b08f0b98fd8061080df98251a2432633761663234302d376238302d343166322d393238392d656635383937626162363731222439363266626139652d646637632d343162362d613230652d6466333666613530663933322805322434353261656363372d633131322d343337612d623633662d3061633833323030323863653a3730302d65336261616530616433666130626562313734323530653737306533373439382d646461666162666231653935303164362d3031a2010e0a0668656c706572120262331800', '2026-11-23 06:28:00.078+00', '2026-11-23 06:28:00.202384+00', '2026-11-23T06:27:37.003024991Z'),
('11', '67c1c42b-19fc-4973-8103-cbd603befeb6', '2c7af240-7b80-41f2-9289-ef5897bab671', '962fba9e-df7c-41b6-a20e-df36fa50f932', '6', 'slipway.build.2c7af240-7b80-41f2-9289-ef5897bab671.962fba9e-df7c-41b6-a20e-df36fa50f932.registered', E'\\x0a2436376331633432622d313966632d343937332d383130332d636264363033626566656236120b08f0b98fd80610c0f2d1781a2432633761663234302d376238302d343166322d393238392d656635383937626162363731222439363266626139652d646637632d343162362d613230652d6466333666613530663933322806322464356435616431642d353234342d343438362d613636622d6431346133313865396565373a3730302d61303434366465656238306138323730663562336138316230356635653732332d346462396634353363616631623039322d3031a2010e0a0668656c706572120262341800', '2026-11-23 06:28:00.253+00', '2026-11-23 06:28:00.347204+00', '2026-11-23T06:27:37.003024991Z'),
('12', '83b03162-1003-4145-b79e-32fa2f821b76', '2c7af240-7b80-41f2-9289-ef5897bab671', '962fba9e-df7c-41b6-a20e-df36fa50f932', '7', 'slipway.version.2c7af240-7b80-41f2-9289-ef5897bab671.962fba9e-df7c-41b6-a20e-df36fa50f932.yanked', E'\\x0a2438336230333136322d313030332d343134352d623739652d333266613266383231623736120c08f0b98fd8061080a8a0dd011a2432633761663234302d376238302d343166322d393238392d656635383937626162363731222439363266626139652d646637632d343162362d613230652d6466333666613530663933322807322437363530383962652d353066302d343335312d386534382d6236636534393566343734353a3730302d61643433336539323163633630373063323761346666373166643231663433322d373238316138643534316664613130362d3031b2010f0a0668656c7065721205312e302e30', '2026-11-23 06:28:00.464+00', '2026-11-23 06:28:00.571696+00', '2026-11-23T06:27:37.003024991Z'),
('13', '43dc47f7-67c9-494b-a3bd-b850b54c8815', '2c7af240-7b80-41f2-9289-ef5897bab671', '962fba9e-df7c-41b6-a20e-df36fa50f932', '8', 'slipway.build.2c7af240-7b80-41f2-9289-ef5897bab671.962fba9e-df7c-41b6-a20e-df36fa50f932.deleted', E'\\x0a2434336463343766372d363763392d343934622d613362642d623835306235346338383135120c08f0b98fd80610c0de9cf8021a2432633761663234302d376238302d343166322d393238392d656635383937626162363731222439363266626139652d646637632d343162362d613230652d6466333666613530663933322808322430386563346265642d356334622d343566382d623265612d6661333331386639363861373a3730302d38383561373865346431326166613634386430623262313765393666363837332d343162623763306364613735333532652d3031c2010c0a0668656c70657212026234', '2026-11-23 06:28:00.789+00', '2026-11-23 06:28:00.848319+00', '2026-11-23T06:27:37.003024991Z'),
('14', 'b2fe94d8-4cfc-4721-82cb-6b50d7b0bc62', '2c7af240-7b80-41f2-9289-ef5897bab671', '999a0a24-dcfc-4b73-95b6-fe48b23746de', '1', 'slipway.build.2c7af240-7b80-41f2-9289-ef5897bab671.999a0a24-dcfc-4b73-95b6-fe48b23746de.registered', E'\\x0a2462326665393464382d346366632d343732312d383263622d366235306437623062633632120c08f0b98fd80610c0f692cc031a2432633761663234302d376238302d343166322d393238392d656635383937626162363731222439393961306132342d646366632d346237332d393562362d6665343862323337343664652801322462666130623262352d303835622d343134612d393463372d6464613337613662356438373a3730302d31316362363731636261636639343631646535613633343230353830643634312d333066663430336361626235646439622d3031a201100a086f62736f6c657465120262311800', '2026-11-23 06:28:00.965+00', '2026-11-23 06:28:01.044793+00', '2026-11-23T06:27:37.003024991Z'),
('15', 'be083a25-cd44-41ae-9216-473c43f5c7d5', '2c7af240-7b80-41f2-9289-ef5897bab671', '999a0a24-dcfc-4b73-95b6-fe48b23746de', '2', 'slipway.agent.2c7af240-7b80-41f2-9289-ef5897bab671.999a0a24-dcfc-4b73-95b6-fe48b23746de.deleted', E'\\x0a2462653038336132352d636434342d343161652d393231362d343733633433663563376435120c08f1b98fd8061080d3afef011a2432633761663234302d376238302d343166322d393238392d656635383937626162363731222439393961306132342d646366632d346237332d393562362d6665343862323337343664652802322434336338613666342d643365332d343139322d626233352d3562373036373232383138323a3730302d65323737363334336366613236646238613462373763303332373935373465632d613161646439396666303065646166622d3031ca010a0a086f62736f6c657465', '2026-11-23 06:28:01.502+00', '2026-11-23 06:28:01.640002+00', '2026-11-23T06:27:37.003024991Z'),
('16', 'c40fd55b-0f83-4b67-836a-390fe697da4e', 'c6640040-bc7d-46f3-bf30-b240e281339a', '68e4af4f-f7fc-4cca-a4a8-f8afae2f6ecc', '1', 'slipway.build.c6640040-bc7d-46f3-bf30-b240e281339a.68e4af4f-f7fc-4cca-a4a8-f8afae2f6ecc.registered', E'\\x0a2463343066643535622d306638332d346236372d383336612d333930666536393764613465120c08f1b98fd8061080b5d2b7031a2463363634303034302d626337642d343666332d626633302d623234306532383133333961222436386534616634662d663766632d346363612d613461382d6638616661653266366563632801322437653336396538662d343430382d346161642d383330362d6232636437316663643638393a3730302d33373663616634353832313531663766663565616638366566316666366533322d393565646465343033623636303432312d3031a201100a0868616e64626f6f6b120262311800', '2026-11-23 06:28:01.922+00', '2026-11-23 06:28:02.008561+00', '2026-11-23T06:27:37.003024991Z'),
('17', '2d3dc88f-41db-4bc3-afa0-6dd577ec8cac', 'c6640040-bc7d-46f3-bf30-b240e281339a', '9e597a25-9563-42e2-8954-f0273c2efcd4', '1', 'slipway.build.c6640040-bc7d-46f3-bf30-b240e281339a.9e597a25-9563-42e2-8954-f0273c2efcd4.registered', E'\\x0a2432643364633838662d343164622d346263332d616661302d366464353737656338636163120b08f2b98fd80610c0d4e24c1a2463363634303034302d626337642d343666332d626633302d623234306532383133333961222439653539376132352d393536332d343265322d383935342d6630323733633265666364342801322431653133393939632d323366372d343935612d613162382d3265616130353734393637363a3730302d63646566353234373765306461313232613833653936653632653462656637622d363238353434623163343430316633392d3031a2010e0a06736861726564120262311800', '2026-11-23 06:28:02.161+00', '2026-11-23 06:28:02.238099+00', '2026-11-23T06:27:37.003024991Z'),
('18', 'deb969eb-cd31-4660-92c0-f81ec60df588', 'c6640040-bc7d-46f3-bf30-b240e281339a', '9e597a25-9563-42e2-8954-f0273c2efcd4', '2', 'slipway.version.c6640040-bc7d-46f3-bf30-b240e281339a.9e597a25-9563-42e2-8954-f0273c2efcd4.published', E'\\x0a2464656239363965622d636433312d343636302d393263302d663831656336306466353838120c08f2b98fd8061080bbb99b011a2463363634303034302d626337642d343666332d626633302d623234306532383133333961222439653539376132352d393536332d343265322d383935342d6630323733633265666364342802322464383934633537362d366164652d346466302d623463302d6333633462383039326534363a3730302d32396330383861323139303263316563623232343231623764653366633563612d636166643165396562633164313735652d3031aa01130a06736861726564120262311a05322e302e30', '2026-11-23 06:28:02.326+00', '2026-11-23 06:28:02.418918+00', '2026-11-23T06:27:37.003024991Z'),
('19', '6a7e696b-49ca-4770-8a18-30e2e0cf8ce8', '2c7af240-7b80-41f2-9289-ef5897bab671', 'dc528eae-6884-46a1-9860-83bed7f62498', '1', 'slipway.build.2c7af240-7b80-41f2-9289-ef5897bab671.dc528eae-6884-46a1-9860-83bed7f62498.registered', E'\\x0a2436613765363936622d343963612d343737302d386131382d333065326530636638636538120c0887ba8fd80610c0cefbe8021a2432633761663234302d376238302d343166322d393238392d656635383937626162363731222464633532386561652d363838342d343661312d393836302d3833626564376636323439382801322430333832623737352d623935622d346135652d393364612d3762623735663561623337373a3730302d35316666353561663539616234373831363737383532303034613431366661312d316331333065336135393264393064622d3031a2010e0a06776f726b6572120262311800', '2026-11-23 06:28:23.757+00', '2026-11-23 06:28:23.821373+00', '2026-11-23T06:27:37.003024991Z'),
('2', 'a2ca3671-fe7c-4f5b-ad9f-335745a2ce1e', '44fae089-3025-4b37-8c1c-00e658115621', '44fae089-3025-4b37-8c1c-00e658115621', '1', 'slipway.account.44fae089-3025-4b37-8c1c-00e658115621.44fae089-3025-4b37-8c1c-00e658115621.created', E'\\x0a2461326361333637312d666537632d346635622d616439662d333335373435613263653165120c08edb98fd80610c08887ce031a2434346661653038392d333032352d346233372d386331632d303065363538313135363231222434346661653038392d333032352d346233372d386331632d3030653635383131353632312801322431306263356365392d653633372d343033652d623665362d6536653466626234613736363a3730302d64323631363439653132366565613263326334313738393265383933363266342d383132633464643136373464313036642d303152050a03626f62', '2026-11-23 06:27:57.969+00', '2026-11-23 06:27:58.055298+00', '2026-11-23T06:27:37.003024991Z'),
('20', '47de578c-649f-421f-ae9f-52325f8f0775', '2c7af240-7b80-41f2-9289-ef5897bab671', 'cdb3a874-de68-4628-bc6c-f7370c70a825', '1', 'slipway.build.2c7af240-7b80-41f2-9289-ef5897bab671.cdb3a874-de68-4628-bc6c-f7370c70a825.registered', E'\\x0a2434376465353738632d363439662d343231662d616539662d353233323566386630373735120c088fba8fd80610c0d4ebc6011a2432633761663234302d376238302d343166322d393238392d656635383937626162363731222463646233613837342d646536382d343632382d626336632d6637333730633730613832352801322438636234643533302d396464652d343066372d623764652d3637326264376661633064353a3730302d30353934623636393036326233623136346437626566623230633930353437622d323038653736616239613930326562612d3031a2010e0a0662726f6b656e120262311800', '2026-11-23 06:28:31.417+00', '2026-11-23 06:28:31.479646+00', '2026-11-23T06:27:37.003024991Z'),
('21', '74402bf5-0971-4d37-91c9-839d4beb934e', '2c7af240-7b80-41f2-9289-ef5897bab671', '50c782f2-0bfe-4d3b-9628-be3b45825817', '1', 'slipway.build.2c7af240-7b80-41f2-9289-ef5897bab671.50c782f2-0bfe-4d3b-9628-be3b45825817.registered', E'\\x0a2437343430326266352d303937312d346433372d393163392d383339643462656239333465120b0893ba8fd80610c0e9d7771a2432633761663234302d376238302d343166322d393238392d656635383937626162363731222435306337383266322d306266652d346433622d393632382d6265336234353832353831372801322465616333356139632d343464302d343063622d396433662d3236386562346262386530303a3730302d65326166383062633930376166373737376337393532653131333961303765652d353734363462656462363836323534332d3031a2010f0a0772656d6f766564120262311800', '2026-11-23 06:28:35.251+00', '2026-11-23 06:28:35.304754+00', '2026-11-23T06:27:37.003024991Z'),
('3', 'cf78b22a-80ec-4054-a381-a0ab4126243e', 'c6640040-bc7d-46f3-bf30-b240e281339a', 'c6640040-bc7d-46f3-bf30-b240e281339a', '1', 'slipway.account.c6640040-bc7d-46f3-bf30-b240e281339a.c6640040-bc7d-46f3-bf30-b240e281339a.created', E'\\x0a2463663738623232612d383065632d343035342d613338312d613061623431323632343365120c08eeb98fd80610c0e5b192011a2463363634303034302d626337642d343666332d626633302d623234306532383133333961222463363634303034302d626337642d343666332d626633302d6232343065323831333339612801322438363336343165302d333436392d343963362d396633312d3632616337393537646562333a3730302d61346132363861313730356532333738353437353064666132666138363931612d633237363734666638383062396366362d303152060a0461636d65', '2026-11-23 06:27:58.307+00', '2026-11-23 06:27:58.352731+00', '2026-11-23T06:27:37.003024991Z'),
('4', 'dad2d61c-3296-4637-9f1d-8e42e4fd7de5', 'c6640040-bc7d-46f3-bf30-b240e281339a', 'c6640040-bc7d-46f3-bf30-b240e281339a', '2', 'slipway.account.c6640040-bc7d-46f3-bf30-b240e281339a.c6640040-bc7d-46f3-bf30-b240e281339a.member_changed', E'\\x0a2464616432643631632d333239362d343633372d396631642d386534326534666437646535120c08eeb98fd8061080b793b6011a2463363634303034302d626337642d343666332d626633302d623234306532383133333961222463363634303034302d626337642d343666332d626633302d6232343065323831333339612802322437393934323762352d343561302d343238302d396536612d3164646236653839386638363a3730302d37303562353561393731313733363835356562323439636535646137353230372d386264623533356639656334353230302d303162260a2462636239613639392d633935342d343834662d396164642d303831373063653434343064', '2026-11-23 06:27:58.382+00', '2026-11-23 06:27:58.474547+00', '2026-11-23T06:27:37.003024991Z'),
('5', 'cfcb6181-693a-4a62-a361-654c229af2ef', 'c6640040-bc7d-46f3-bf30-b240e281339a', 'c6640040-bc7d-46f3-bf30-b240e281339a', '3', 'slipway.account.c6640040-bc7d-46f3-bf30-b240e281339a.c6640040-bc7d-46f3-bf30-b240e281339a.renamed', E'\\x0a2463666362363138312d363933612d346136322d613336312d363534633232396166326566120c08eeb98fd8061080a9d78d031a2463363634303034302d626337642d343666332d626633302d623234306532383133333961222463363634303034302d626337642d343666332d626633302d6232343065323831333339612803322430303061363939392d396334362d343366342d613839632d6530366562383863313666653a3730302d34343739303136643162326232613264303139393530613435306334333233382d616437326231333130363730343633352d30315a110a0461636d65120961636d652d6c616273', '2026-11-23 06:27:58.834+00', '2026-11-23 06:27:58.899684+00', '2026-11-23T06:27:37.003024991Z'),
('6', '5a777c12-faa9-4e5f-8f7b-5ce2baf3b4bd', '2c7af240-7b80-41f2-9289-ef5897bab671', '962fba9e-df7c-41b6-a20e-df36fa50f932', '1', 'slipway.build.2c7af240-7b80-41f2-9289-ef5897bab671.962fba9e-df7c-41b6-a20e-df36fa50f932.registered', E'\\x0a2435613737376331322d666161392d346535662d386637622d356365326261663362346264120b08efb98fd80610c093b9531a2432633761663234302d376238302d343166322d393238392d656635383937626162363731222439363266626139652d646637632d343162362d613230652d6466333666613530663933322801322431663433393434372d326661622d346363622d383731662d3632663236623163613134663a3730302d65346133306532663665313735626139656630343734366630333037313462662d356566616537626434393964323165612d3031a2010e0a0668656c706572120262311800', '2026-11-23 06:27:59.175+00', '2026-11-23 06:27:59.262529+00', '2026-11-23T06:27:37.003024991Z'),
('7', '31a47cbf-08ef-4eaf-929a-98c3b6b3afa4', '2c7af240-7b80-41f2-9289-ef5897bab671', '962fba9e-df7c-41b6-a20e-df36fa50f932', '2', 'slipway.version.2c7af240-7b80-41f2-9289-ef5897bab671.962fba9e-df7c-41b6-a20e-df36fa50f932.published', E'\\x0a2433316134376362662d303865662d346561662d393239612d393863336236623361666134120c08efb98fd806108098ffcd011a2432633761663234302d376238302d343166322d393238392d656635383937626162363731222439363266626139652d646637632d343162362d613230652d6466333666613530663933322802322466643338323639632d346137332d343264312d623964652d3830326136386166343764323a3730302d63656537316531343162616534343864336666663537393835333363666432642d386433316338363634646535646435332d3031aa01130a0668656c706572120262311a05312e302e30', '2026-11-23 06:27:59.432+00', '2026-11-23 06:27:59.521334+00', '2026-11-23T06:27:37.003024991Z'),
('8', 'f284f0a6-41b5-42bb-a481-0e01ee26f7dc', '2c7af240-7b80-41f2-9289-ef5897bab671', '962fba9e-df7c-41b6-a20e-df36fa50f932', '3', 'slipway.build.2c7af240-7b80-41f2-9289-ef5897bab671.962fba9e-df7c-41b6-a20e-df36fa50f932.registered', E'\\x0a2466323834663061362d343162352d343262622d613438312d306530316565323666376463120c08efb98fd80610c0f689d2021a2432633761663234302d376238302d343166322d393238392d656635383937626162363731222439363266626139652d646637632d343162362d613230652d6466333666613530663933322803322465313562326465662d366364392d346536612d616530312d6165343632343931313432653a3730302d31336539666234633633373630646365633737323662613734343039366631612d356639396137663961663264376265302d3031a2010e0a0668656c706572120262321800', '2026-11-23 06:27:59.709+00', '2026-11-23 06:27:59.870636+00', '2026-11-23T06:27:37.003024991Z'),
('9', 'ee3522e9-45a0-4bef-86c5-4753b111ee43', '2c7af240-7b80-41f2-9289-ef5897bab671', '962fba9e-df7c-41b6-a20e-df36fa50f932', '4', 'slipway.version.2c7af240-7b80-41f2-9289-ef5897bab671.962fba9e-df7c-41b6-a20e-df36fa50f932.published', E'\\x0a2465653335323265392d343561302d346265662d383663352d343735336231313165653433120c08efb98fd80610c0d6d0ad031a2432633761663234302d376238302d343166322d393238392d656635383937626162363731222439363266626139652d646637632d343162362d613230652d6466333666613530663933322804322462373263363433642d323235652d346365352d616533382d6333633133623936333735383a3730302d62313239316536636265313365343865323063383438643335626664626463372d663938396566623834623738323163372d3031aa01130a0668656c706572120262321a05312e312e30', '2026-11-23 06:27:59.901+00', '2026-11-23 06:27:59.956261+00', '2026-11-23T06:27:37.003024991Z');
INSERT INTO schema_compatibility (only_row, oldest_compatible) OVERRIDING SYSTEM VALUE VALUES
('true', '20261121T1250-outbox');
CREATE EXTENSION IF NOT EXISTS pg_trgm;
SELECT setval(pg_get_serial_sequence('outbox', 'position'), (SELECT coalesce(max("position"), 1) FROM outbox));
ALTER TABLE account ADD CONSTRAINT account_id_name UNIQUE (id, name);
ALTER TABLE account ADD CONSTRAINT account_name_unique UNIQUE (name);
ALTER TABLE account ADD CONSTRAINT account_personal_unique UNIQUE (personal_user_id);
ALTER TABLE account ADD CONSTRAINT account_pkey PRIMARY KEY (id);
ALTER TABLE account ADD CONSTRAINT account_type_check CHECK ((type = ANY (ARRAY['personal'::text, 'team'::text])));
ALTER TABLE account_name ADD CONSTRAINT account_name_owner UNIQUE (name, account_id);
ALTER TABLE account_name ADD CONSTRAINT account_name_pkey PRIMARY KEY (name);
ALTER TABLE account_usage ADD CONSTRAINT account_usage_pkey PRIMARY KEY (account_id);
ALTER TABLE agent ADD CONSTRAINT agent_name_unique UNIQUE (account_id, name);
ALTER TABLE agent ADD CONSTRAINT agent_pkey PRIMARY KEY (id);
ALTER TABLE aggregate_sequence ADD CONSTRAINT aggregate_sequence_pkey PRIMARY KEY (aggregate_id);
ALTER TABLE app_user ADD CONSTRAINT app_user_identity UNIQUE (realm, subject);
ALTER TABLE app_user ADD CONSTRAINT app_user_pkey PRIMARY KEY (id);
ALTER TABLE build ADD CONSTRAINT build_id_unique UNIQUE (agent_id, build_id);
ALTER TABLE build ADD CONSTRAINT build_pkey PRIMARY KEY (agent_id, ordinal);
ALTER TABLE build ADD CONSTRAINT build_published_whole CHECK ((num_nulls(version, version_key, is_stable, publish_time) = ANY (ARRAY[0, 4])));
ALTER TABLE build ADD CONSTRAINT build_version_unique UNIQUE (agent_id, version_key);
ALTER TABLE catalog_entry ADD CONSTRAINT catalog_entry_pkey PRIMARY KEY (agent_id);
ALTER TABLE idempotency_key ADD CONSTRAINT idempotency_key_pkey PRIMARY KEY (scope);
ALTER TABLE kysely_migration ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
ALTER TABLE kysely_migration_lock ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);
ALTER TABLE member ADD CONSTRAINT member_pkey PRIMARY KEY (account_id, user_id);
ALTER TABLE member ADD CONSTRAINT member_role_check CHECK ((role = ANY (ARRAY['member'::text, 'admin'::text, 'owner'::text])));
ALTER TABLE outbox ADD CONSTRAINT outbox_aggregate_id_sequence_key UNIQUE (aggregate_id, sequence);
ALTER TABLE outbox ADD CONSTRAINT outbox_id_key UNIQUE (id);
ALTER TABLE outbox ADD CONSTRAINT outbox_pkey PRIMARY KEY ("position");
ALTER TABLE schema_compatibility ADD CONSTRAINT schema_compatibility_only_row_check CHECK (only_row);
ALTER TABLE schema_compatibility ADD CONSTRAINT schema_compatibility_pkey PRIMARY KEY (only_row);
ALTER TABLE account ADD CONSTRAINT account_created_by_fkey FOREIGN KEY (created_by) REFERENCES app_user(id);
ALTER TABLE account ADD CONSTRAINT account_owns_name FOREIGN KEY (name, id) REFERENCES account_name(name, account_id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE account ADD CONSTRAINT account_personal_user_id_fkey FOREIGN KEY (personal_user_id) REFERENCES app_user(id);
ALTER TABLE account_name ADD CONSTRAINT account_name_held_by_fkey FOREIGN KEY (held_by) REFERENCES app_user(id);
ALTER TABLE account_usage ADD CONSTRAINT account_usage_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
ALTER TABLE agent ADD CONSTRAINT agent_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id);
ALTER TABLE build ADD CONSTRAINT build_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agent(id);
ALTER TABLE catalog_entry ADD CONSTRAINT catalog_entry_account FOREIGN KEY (account_id, account_name) REFERENCES account(id, name) ON UPDATE CASCADE;
ALTER TABLE catalog_entry ADD CONSTRAINT catalog_entry_agent_id_build_ordinal_fkey FOREIGN KEY (agent_id, build_ordinal) REFERENCES build(agent_id, ordinal);
ALTER TABLE catalog_entry ADD CONSTRAINT catalog_entry_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agent(id);
ALTER TABLE member ADD CONSTRAINT member_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id);
ALTER TABLE member ADD CONSTRAINT member_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id);
CREATE INDEX account_created_by ON public.account USING btree (created_by);
CREATE INDEX account_name_account ON public.account_name USING btree (account_id);
CREATE INDEX account_name_held_by ON public.account_name USING btree (held_by) WHERE (held_by IS NOT NULL);
CREATE INDEX build_latest_version ON public.build USING btree (agent_id, is_stable DESC, version_key DESC) WHERE ((version_key IS NOT NULL) AND (NOT is_yanked));
CREATE INDEX build_unpublished ON public.build USING btree (agent_id, ordinal) WHERE (version_key IS NULL);
CREATE INDEX catalog_entry_of_account ON public.catalog_entry USING btree (account_name, name);
CREATE UNIQUE INDEX catalog_entry_order ON public.catalog_entry USING btree (name, account_name);
CREATE INDEX catalog_entry_search ON public.catalog_entry USING gin (search_text gin_trgm_ops, account_name gin_trgm_ops);
CREATE INDEX catalog_entry_tags ON public.catalog_entry USING gin (tags);
CREATE INDEX catalog_entry_words ON public.catalog_entry USING gin (search_words);
CREATE INDEX idempotency_key_age ON public.idempotency_key USING btree (create_time);
CREATE INDEX idempotency_key_owner ON public.idempotency_key USING btree (owner, create_time);
CREATE INDEX member_joined ON public.member USING btree (user_id, join_time NULLS FIRST, account_id);
CREATE INDEX outbox_published ON public.outbox USING btree (published_at) WHERE (published_at IS NOT NULL);
CREATE INDEX outbox_unpublished ON public.outbox USING btree ("position") WHERE (published_at IS NULL);
CREATE OR REPLACE FUNCTION public.count_agents()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
    END $function$;
CREATE OR REPLACE FUNCTION public.count_builds()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
    END $function$;
CREATE OR REPLACE FUNCTION public.resize_build()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    BEGIN
      UPDATE account_usage AS usage SET content_bytes = usage.content_bytes
          + NEW.content_bytes + octet_length(NEW.spec_yaml)
          - OLD.content_bytes - octet_length(OLD.spec_yaml)
        FROM agent
        WHERE agent.id = NEW.agent_id AND usage.account_id = agent.account_id;
      RETURN NULL;
    END $function$;
CREATE TRIGGER agent_deleted AFTER DELETE ON public.agent REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_agents();
CREATE TRIGGER agent_inserted AFTER INSERT ON public.agent REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_agents();
CREATE TRIGGER build_deleted AFTER DELETE ON public.build REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_builds();
CREATE TRIGGER build_inserted AFTER INSERT ON public.build REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_builds();
CREATE TRIGGER build_resized AFTER UPDATE OF spec_yaml, content_bytes ON public.build FOR EACH ROW EXECUTE FUNCTION resize_build();
