import type { ComponentSection, ProviderSection } from './spec-types.ts'

/** A provider that the platform runs a container for. */
export interface SelfHostedProvider {
  readonly kind: 'self-hosted'
  readonly section: ComponentSection
  readonly name: string
  readonly image: string
  /** The `_PORT` variable contains the first one. */
  readonly ports: readonly { readonly name: string; readonly port: number }[]
  /** The directory of its data, persistent or not. */
  readonly dataPath: string
  readonly prefix: string
  readonly url: {
    readonly scheme: string
    readonly port: number
    readonly user?: string
    readonly database?: string
  }
  readonly probe: { readonly path: string } | { readonly command: readonly string[] }
  /** The image's user, and the group that owns its volumes. */
  readonly uid: number
  readonly gid: number
  readonly fsGroup: number
  /** Other directories that the image writes to. */
  readonly writablePaths: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly args: readonly string[]
  /** Additional arguments if the entry is persistent. */
  readonly persistentArgs: readonly string[]
  /**
   * Set for a store with a generated password. Without a password, any pod in its namespace can
   * connect.
   */
  readonly password?: ProviderPassword
  /** An init step with the same image and volumes, run if the entry has a model. */
  readonly pullModel?: { readonly command: readonly string[]; readonly modelVariable: string }
  readonly gpu: boolean
}

/** How a generated password is passed to an image; `{password}` is replaced. */
interface ProviderPassword {
  readonly environment: Readonly<Record<string, string>>
  readonly args: readonly string[]
}

/** A provider outside the platform. All of its credentials are required. */
export interface CloudProvider {
  readonly kind: 'cloud'
  readonly section: ProviderSection
  readonly name: string
  readonly prefix: string
  readonly credentials: readonly { readonly suffix: string; readonly description: string }[]
}

/** A row of the table. */
export type Provider = SelfHostedProvider | CloudProvider
/** All providers of a platform. */
export type ProviderTable = readonly Provider[]

const user1000 = { uid: 1000, gid: 1000, fsGroup: 1000 } as const
const apiKey = (label: string) => [{ suffix: 'API_KEY', description: `${label} API key` }]

const selfHosted = [
  {
    kind: 'self-hosted',
    section: 'models',
    name: 'ollama',
    image: 'ollama/ollama',
    ports: [{ name: 'http', port: 11434 }],
    dataPath: '/root/.ollama',
    prefix: 'OLLAMA',
    url: { scheme: 'http', port: 11434 },
    probe: { path: '/api/tags' },
    ...user1000,
    // Only root can enter the image's /root, so an empty volume covers it.
    writablePaths: ['/root'],
    environment: {
      OLLAMA_HOST: '0.0.0.0',
      OLLAMA_KEEP_ALIVE: '-1',
      OLLAMA_MODELS: '/root/.ollama/models',
      HOME: '/root',
    },
    args: [],
    persistentArgs: [],
    pullModel: {
      command: [
        '/bin/sh',
        '-c',
        'ollama serve & server=$!; ' +
          'until ollama list >/dev/null 2>&1; do kill -0 $server || exit 1; sleep 1; done; ' +
          'ollama pull "$OLLAMA_PULL_MODEL"; result=$?; kill $server; wait $server; exit $result',
      ],
      modelVariable: 'OLLAMA_PULL_MODEL',
    },
    gpu: true,
  },
  {
    kind: 'self-hosted',
    section: 'knowledge',
    name: 'qdrant',
    image: 'qdrant/qdrant',
    ports: [
      { name: 'http', port: 6333 },
      { name: 'grpc', port: 6334 },
    ],
    dataPath: '/qdrant/storage',
    prefix: 'QDRANT',
    url: { scheme: 'http', port: 6333 },
    probe: { path: '/healthz' },
    ...user1000,
    writablePaths: ['/qdrant/snapshots'],
    environment: { QDRANT_INIT_FILE_PATH: '/tmp/.qdrant-initialized' },
    args: [],
    persistentArgs: [],
    gpu: false,
  },
  {
    kind: 'self-hosted',
    section: 'knowledge',
    name: 'redis',
    image: 'redis:7-alpine',
    ports: [{ name: 'redis', port: 6379 }],
    dataPath: '/data',
    prefix: 'REDIS',
    url: { scheme: 'redis', port: 6379 },
    probe: { command: ['redis-cli', 'ping'] },
    uid: 999,
    gid: 1000,
    fsGroup: 1000,
    writablePaths: [],
    environment: {},
    // The default of the official image only; other Redis images may have protected mode on.
    args: ['--protected-mode', 'no'],
    persistentArgs: ['--appendonly', 'yes'],
    gpu: false,
  },
  {
    kind: 'self-hosted',
    section: 'knowledge',
    name: 'postgres',
    image: 'pgvector/pgvector:pg17',
    ports: [{ name: 'postgres', port: 5432 }],
    dataPath: '/var/lib/postgresql/data',
    prefix: 'POSTGRES',
    url: { scheme: 'postgresql', port: 5432, user: 'agent', database: 'agent' },
    // Over TCP, because the image listens only on its Unix socket during its first setup.
    probe: { command: ['pg_isready', '-h', '127.0.0.1', '-U', 'agent', '-d', 'agent'] },
    uid: 999,
    gid: 999,
    fsGroup: 999,
    writablePaths: ['/var/run/postgresql'],
    environment: {
      POSTGRES_USER: 'agent',
      POSTGRES_DB: 'agent',
      PGDATA: '/var/lib/postgresql/data/pgdata',
    },
    args: [],
    persistentArgs: [],
    password: { environment: { POSTGRES_PASSWORD: '{password}' }, args: [] },
    gpu: false,
  },
  {
    kind: 'self-hosted',
    section: 'knowledge',
    name: 'neo4j',
    image: 'neo4j:5-community',
    ports: [
      { name: 'http', port: 7474 },
      { name: 'bolt', port: 7687 },
    ],
    dataPath: '/data',
    prefix: 'NEO4J',
    url: { scheme: 'bolt', port: 7687 },
    probe: { path: '/' },
    uid: 7474,
    gid: 7474,
    fsGroup: 7474,
    writablePaths: ['/logs'],
    environment: { NEO4J_AUTH: 'none' },
    args: [],
    persistentArgs: [],
    gpu: false,
  },
] as const satisfies readonly SelfHostedProvider[]

const cloud: readonly CloudProvider[] = [
  { section: 'models', name: 'anthropic', credentials: apiKey('Anthropic') },
  { section: 'models', name: 'openai', credentials: apiKey('OpenAI') },
  { section: 'models', name: 'google', credentials: apiKey('Google') },
  { section: 'models', name: 'gemini', credentials: apiKey('Gemini') },
  { section: 'models', name: 'cohere', credentials: apiKey('Cohere') },
  { section: 'knowledge', name: 'pinecone', credentials: apiKey('Pinecone') },
  {
    section: 'tools',
    name: 'github',
    credentials: [{ suffix: 'TOKEN', description: 'GitHub access token' }],
  },
  {
    section: 'tools',
    name: 'gitlab',
    credentials: [{ suffix: 'TOKEN', description: 'GitLab access token' }],
  },
  {
    section: 'integrations',
    name: 'slack',
    credentials: [
      { suffix: 'BOT_TOKEN', description: 'Slack bot token' },
      { suffix: 'APP_TOKEN', description: 'Slack app-level token' },
    ],
  },
].map((row) => ({ kind: 'cloud', prefix: row.name.toUpperCase(), ...row }) as CloudProvider)

/** The providers of the platform with their default images. Add a provider by adding a row. */
export const defaultProviders: ProviderTable = [...selfHosted, ...cloud]

/** Finds a provider of a section by its name, ignoring case. */
export function findProvider(
  table: ProviderTable,
  section: ProviderSection,
  name: string,
): Provider | undefined {
  return rowsByName(table)
    .get(name.toLowerCase())
    ?.find((row) => row.section === section)
}

const indexes = new WeakMap<ProviderTable, ReadonlyMap<string, Provider[]>>()

function rowsByName(table: ProviderTable): ReadonlyMap<string, Provider[]> {
  let index = indexes.get(table)
  if (index === undefined) {
    index = Map.groupBy(table, (row) => row.name.toLowerCase())
    indexes.set(table, index)
  }
  return index
}
