import { Client } from 'pg'

import { AGENTS_PER_ACCOUNT, DESCRIPTION, PEOPLE, specOf, TAGS } from './population.ts'

const SENTENCE = 'What the agent does, what it needs, and how it is asked. '
const README = `# Invoices\\n\\n${SENTENCE.repeat(10)}`

/** The letters of `varied` agents: each is in one of as many. */
export const LETTERS = 'abcdefghijkl'
/** The numbers of the tags of `varied` agents: each is in one of as many. */
export const GROUPS = 300

/**
 * Fills a catalog with `agents` agents. Each has a published build and one that is only registered.
 * Those that are `varied` also have a word with one of the LETTERS, and a tag of one of the GROUPS.
 */
export async function seed(
  databaseUrl: string,
  agents: number,
  { varied = false } = {},
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    for (const statement of seedStatements(agents, varied)) await client.query(statement)
  } finally {
    await client.end()
  }
}

function seedStatements(agents: number, varied: boolean): string[] {
  const number = 'right(agent.name, 6)::integer'
  const word = `substr('${LETTERS}', 1 + ${number} % ${LETTERS.length}, 1) || 'word'`
  const tag = `'group-' || ${number} % ${GROUPS}`
  const more = varied ? ` || ' ' || ${word} || ' ' || ${tag}` : ''
  const text = `agent.name || ' ${DESCRIPTION}'${more}`
  const lastAccount = agents / AGENTS_PER_ACCOUNT - 1
  const account = `lpad(a::text, 6, '0')`
  const accountOfAgent = idSql(2, `(i / ${AGENTS_PER_ACCOUNT})`)
  const publisher = idSql(4, `(a % ${PEOPLE})`)
  return [
    `INSERT INTO app_user (id, realm, subject)
      SELECT ${idSql(1, 'a')}::uuid, 'test', 'owner-' || ${account}
      FROM generate_series(0, ${lastAccount}) a`,
    `INSERT INTO app_user (id, realm, subject)
      SELECT ${idSql(4, 'a')}::uuid, 'test', 'publisher-' || ${account}
      FROM generate_series(0, ${PEOPLE - 1}) a`,
    `WITH names AS (
        INSERT INTO account_name (name, account_id)
        SELECT 'account-' || ${account}, ${idSql(2, 'a')}::uuid
        FROM generate_series(0, ${lastAccount}) a
      )
      INSERT INTO account (id, name, type, personal_user_id)
      SELECT ${idSql(2, 'a')}::uuid, 'account-' || ${account}, 'personal', ${idSql(1, 'a')}::uuid
      FROM generate_series(0, ${lastAccount}) a`,
    `INSERT INTO member (account_id, user_id, role)
      SELECT ${idSql(2, 'a')}::uuid, ${idSql(1, 'a')}::uuid, 'owner'
      FROM generate_series(0, ${lastAccount}) a
      UNION ALL
      SELECT ${idSql(2, 'a')}::uuid, ${publisher}::uuid, 'admin'
      FROM generate_series(0, ${lastAccount}) a`,
    `INSERT INTO agent (id, account_id, name, build_count, version_count)
      SELECT ${idSql(3, 'i')}::uuid, ${accountOfAgent}::uuid, ${AGENT_NAME}, 2, 1
      FROM generate_series(0, ${agents - 1}) i`,
    buildStatement(agents, 1, `'1.0.0', decode('${versionKey('1.0.0')}', 'hex'), true, now()`),
    buildStatement(agents, 2, 'NULL, NULL, NULL, NULL'),
    `INSERT INTO catalog_entry (
        agent_id, account_id, account_name, name, build_ordinal, build_id, registry, version,
        publish_time, description, tags, search_text, search_words, entry_bytes
      )
      SELECT agent.id, account.id, account.name, agent.name, 1, 'build-1', build.registry,
        build.version, build.publish_time, build.description,
        build.tags${varied ? ` || (${tag})` : ''}, lower(${text}),
        to_tsvector('simple', ${text}), 400
      FROM agent
      JOIN account ON account.id = agent.account_id
      JOIN build ON build.agent_id = agent.id AND build.ordinal = 1`,
    'VACUUM ANALYZE',
  ]
}

/** `published` has the values of version, version_key, is_stable and publish_time. */
function buildStatement(agents: number, ordinal: number, published: string): string {
  const spec = specOf('AGENT')
  const json = JSON.stringify({
    spec: 'astro/v1',
    name: 'AGENT',
    meta: { description: DESCRIPTION, tags: TAGS },
  })
  const tags = `array[${TAGS.map((tag) => `'${tag}'`).join(', ')}]`
  return `
    INSERT INTO build (
      agent_id, ordinal, build_id, registry, spec_yaml, spec_json, readme, description, tags,
      warnings_json, content_bytes, version, version_key, is_stable, publish_time
    )
    SELECT ${idSql(3, 'i')}::uuid, ${ordinal}, 'build-${ordinal}', 'oci://registry.example/team',
      replace('${quoted(spec)}', 'AGENT', ${AGENT_NAME}),
      replace('${quoted(json)}', 'AGENT', ${AGENT_NAME}),
      '${README}', '${DESCRIPTION}', ${tags}, '[]',
      ${spec.length + json.length + README.length}, ${published}
    FROM generate_series(0, ${agents - 1}) i`
}

/** The name of agent `i`, as in `subjectOf`. */
const AGENT_NAME = `'agent-' || lpad(i::text, 6, '0')`

/** The UUID of number `index` (an expression), as in `subjectOf`. */
function idSql(kind: number, index: string): string {
  return `('${kind}0000000-0000-4000-8000-' || lpad(to_hex(${index}), 12, '0'))`
}

/** Encodes the precedence of a stable version as the catalog does: lengths and digits, then 255. */
function versionKey(text: string): string {
  const numbers = text
    .split('.')
    .map((number) => Buffer.concat([Buffer.of(number.length), Buffer.from(number)]))
  return Buffer.concat([...numbers, Buffer.of(255)]).toString('hex')
}

function quoted(text: string): string {
  return text.replaceAll("'", "''")
}
