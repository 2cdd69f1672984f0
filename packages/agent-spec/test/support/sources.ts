import type { AgentSpec } from '../../src/index.ts'

const PROVIDERS = ['openai', 'anthropic', 'pinecone', 'github', 'gitlab']
const STORES = ['ollama', 'redis', 'postgres', 'qdrant']
const CREDENTIAL: Readonly<Record<string, string>> = { github: 'TOKEN', gitlab: 'TOKEN' }
const PREFIX = { models: 'MODEL', knowledge: 'KNOWLEDGE', tools: 'TOOL' } as const

const name = (text: string) => text.toUpperCase().replace(/[^A-Z0-9_]/g, '_')
const unique = (texts: readonly string[]) => [...new Set(texts)]

/**
 * The variables of the agent whose names result from other names, once for each source, and those
 * of plain inputs: a name that is in the list twice has two sources.
 */
export function sourcesOf(spec: AgentSpec): string[] {
  const entries = (['models', 'knowledge', 'tools'] as const).flatMap((section) =>
    Object.entries(spec[section]).map(([entry, use]) => ({ section, entry, ...use })),
  )
  const used = (provider: string) => entries.filter((use) => use.provider === provider)
  const keys = PROVIDERS.filter((provider) => used(provider).length > 0).map(
    (provider) => `${name(provider)}_${CREDENTIAL[provider] ?? 'API_KEY'}`,
  )
  const hosts = STORES.filter((provider) => used(provider).length > 0).flatMap((provider) =>
    ['HOST', 'PORT', 'URL'].map((field) => `${name(provider)}_${field}`),
  )
  const containers = entries.flatMap(({ section, entry, provider, container }) =>
    provider === undefined && container
      ? ['HOST', 'PORT'].map((field) => `${PREFIX[section]}_${name(entry)}_${field}`)
      : [],
  )
  const own = Object.entries(spec.providers)
    .filter(([provider]) => used(provider).length > 0)
    .flatMap(([provider, { variables }]) =>
      unique(variables.map((variable) => `${name(provider)}_${name(variable.name)}`)),
    )
  const inputs = [spec.agent.inputs, ...entries.map(({ inputs }) => inputs)].flat()
  // Credentials that one secret variable of the author, or several, may share.
  const shared = new Set([
    ...inputs.flatMap((input) => (input.secret ? [input.name] : [])),
    ...Object.entries(spec.providers).flatMap(([provider, { variables }]) =>
      variables.flatMap((each) => (each.secret ? [`${name(provider)}_${name(each.name)}`] : [])),
    ),
  ])
  const integrations = Object.entries(spec.integrations).flatMap(([entry, { credentials }]) =>
    unique(credentials.map(({ suffix }) => `${name(entry)}_${suffix}`)),
  )
  const credentials = [...keys, ...own, ...integrations]
  const plain = inputs.flatMap((input) => (input.secret ? [] : [input.name]))
  return [
    ...credentials.filter((each) => !shared.has(each)),
    ...unique(credentials.filter((each) => shared.has(each))),
    ...hosts.filter((host) => !isWritten(spec, host)),
    ...containers.filter((host) => !isWritten(spec, host)),
    ...unique(plain),
  ]
}

function isWritten(spec: AgentSpec, variable: string): boolean {
  return Object.hasOwn(spec.agent.environment ?? {}, variable)
}
