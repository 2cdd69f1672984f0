/** Agents of an account. */
const AGENTS_PER_ACCOUNT = 10
/**
 * People who ask; each owns the account of their number, and publishes for every account of a
 * number like theirs.
 */
export const PEOPLE = 500

/** Everything that is to be known of one agent of the bench, by its number. */
export interface Subject {
  readonly agentId: string
  readonly agent: string
  readonly accountId: string
  readonly account: string
  /** Owner of the account. */
  readonly owner: string
  /** Somebody else, who is an admin of the account. */
  readonly publisher: string
  readonly publisherId: string
  readonly ownerId: string
  /** The build that is registered by the bench. */
  readonly newBuild: string
  /** The version that the bench publishes the second build as. */
  readonly version: string
}

/** The agent of a number. */
export function subjectOf(index: number): Subject {
  const accountIndex = Math.floor(index / AGENTS_PER_ACCOUNT)
  return {
    agentId: idOf(3, index),
    agent: `agent-${padded(index)}`,
    accountId: idOf(2, accountIndex),
    account: `account-${padded(accountIndex)}`,
    owner: `owner-${padded(accountIndex)}`,
    ownerId: idOf(1, accountIndex),
    publisher: `publisher-${padded(accountIndex % PEOPLE)}`,
    publisherId: idOf(4, accountIndex % PEOPLE),
    newBuild: `new-${padded(index)}`,
    version: '2.0.0',
  }
}

/** The spec that builds of the bench have. */
export function specOf(agent: string): string {
  return `spec: astro/v1
name: ${agent}
meta:
  description: Answers questions about invoices and explains what it found
  tags: [support, billing, invoices]
agent:
  image: registry.example/team/${agent}:1.4.2
  port: 8080
  environment:
    LANGUAGE: en
    MAX_TOKENS: "2048"
models:
  main:
    provider: openai
    model: gpt-5
interfaces:
  chat:
    adapter: web
`
}

/**
 * SQL that fills an empty catalog with `agents` agents: each has a published build and one that is
 * only registered.
 */
export function seedStatements(agents: number): string[] {
  const accounts = agents / AGENTS_PER_ACCOUNT
  const spec = specOf('AGENT')
  const json = JSON.stringify({
    spec: 'astro/v1',
    name: 'AGENT',
    meta: { description: DESCRIPTION, tags: TAGS },
  })
  const account = `lpad(a::text, 6, '0')`
  const tags = `array[${TAGS.map((tag) => `'${tag}'`).join(', ')}]`
  const version = (text: string) => `'${text}', decode('${versionKey(text)}', 'hex'), true, now()`
  return [
    `insert into app_user (id, realm, subject)
      select ${idSql(1, 'a')}::uuid, 'test', 'owner-' || ${account} from generate_series(0, ${accounts - 1}) a`,
    `insert into app_user (id, realm, subject)
      select ${idSql(4, 'a')}::uuid, 'test', 'publisher-' || ${account} from generate_series(0, ${PEOPLE - 1}) a`,
    `with names as (
        insert into account_name (name, account_id)
        select 'account-' || ${account}, ${idSql(2, 'a')}::uuid from generate_series(0, ${accounts - 1}) a
      )
      insert into account (id, name, type, personal_user_id)
      select ${idSql(2, 'a')}::uuid, 'account-' || ${account}, 'personal', ${idSql(1, 'a')}::uuid
      from generate_series(0, ${accounts - 1}) a`,
    `insert into member (account_id, user_id, role)
      select ${idSql(2, 'a')}::uuid, ${idSql(1, 'a')}::uuid, 'owner' from generate_series(0, ${accounts - 1}) a
      union all
      select ${idSql(2, 'a')}::uuid, ${idSql(4, `(a % ${PEOPLE})`)}::uuid, 'admin'
      from generate_series(0, ${accounts - 1}) a`,
    `insert into agent (id, account_id, name, build_count, version_count)
      select ${idSql(3, 'i')}::uuid, ${idSql(2, `(i / ${AGENTS_PER_ACCOUNT})`)}::uuid, 'agent-' || lpad(i::text, 6, '0'), 2, 1
      from generate_series(0, ${agents - 1}) i`,
    ...[1, 2].map(
      (
        ordinal,
      ) => `insert into build (agent_id, ordinal, build_id, registry, spec_yaml, spec_json, readme, description,
        tags, warnings_json, content_bytes, version, version_key, is_stable, publish_time)
      select ${idSql(3, 'i')}::uuid, ${ordinal}, 'build-${ordinal}', 'oci://registry.example/team',
        replace('${quoted(spec)}', 'AGENT', 'agent-' || lpad(i::text, 6, '0')),
        replace('${quoted(json)}', 'AGENT', 'agent-' || lpad(i::text, 6, '0')),
        '${README}', '${DESCRIPTION}', ${tags}, '[]', ${spec.length + json.length + README.length},
        ${ordinal === 1 ? version('1.0.0') : 'null, null, null, null'}
      from generate_series(0, ${agents - 1}) i`,
    ),
    `insert into catalog_entry (agent_id, account_id, account_name, name, build_ordinal, build_id, registry, version,
        publish_time, description, tags, search_text, search_words, entry_bytes)
      select agent.id, account.id, account.name, agent.name, 1, 'build-1', build.registry, build.version,
        build.publish_time, build.description, build.tags, lower(agent.name || ' ${DESCRIPTION}'),
        to_tsvector('simple', agent.name || ' ${DESCRIPTION}'), 400
      from agent join account on account.id = agent.account_id
      join build on build.agent_id = agent.id and build.ordinal = 1`,
    'vacuum analyze',
  ]
}

const DESCRIPTION = 'Answers questions about invoices and explains what it found'
const TAGS = ['support', 'billing', 'invoices']
const README = `# Invoices\\n\\n${'What the agent does, what it needs, and how it is asked. '.repeat(10)}`

function padded(index: number): string {
  return String(index).padStart(6, '0')
}

function idOf(kind: number, index: number): string {
  return `${kind}0000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`
}

function idSql(kind: number, index: string): string {
  return `('${kind}0000000-0000-4000-8000-' || lpad(to_hex(${index}), 12, '0'))`
}

/**
 * As the catalog keeps the precedence of a stable version: each number by its length and digits,
 * then 255.
 */
function versionKey(text: string): string {
  const numbers = text
    .split('.')
    .map((number) => Buffer.concat([Buffer.of(number.length), Buffer.from(number)]))
  return Buffer.concat([...numbers, Buffer.of(255)]).toString('hex')
}

function quoted(text: string): string {
  return text.replaceAll("'", "''")
}
