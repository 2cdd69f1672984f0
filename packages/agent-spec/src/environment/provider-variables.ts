import { own, sortedEntries } from '../json.ts'
import { joinEnvName } from '../names/environment-name.ts'
import type { AgentSpec, ProviderSection } from '../spec-types.ts'
import { inputVariable } from './input-variables.ts'
import { cloudUses, nameEntries, selfHostedUses, type ProviderUse } from './provider-use.ts'
import { escapeValue } from './references.ts'
import { credentialVariable, type Variable } from './variables.ts'

const CATEGORIES = { models: 'model', knowledge: 'knowledge', tools: 'tool' } as const

/** Returns the category of an entry's credentials. For an integration it can be its type. */
function categoryOf(spec: AgentSpec, section: ProviderSection, entry: string): string {
  if (section !== 'integrations') return CATEGORIES[section]
  return own(spec.integrations, entry)?.type ?? 'integration'
}

/** Returns the credentials of cloud providers. */
export function cloudVariables(spec: AgentSpec, uses: readonly ProviderUse[]): Variable[] {
  return nameEntries(cloudUses(uses), { preferNamesake: true }).flatMap(({ use, naming }) => {
    const { provider, entry, section } = use
    const origin = `${section}.${entry}`
    return provider.credentials.flatMap(({ suffix, description }) => {
      const bare = joinEnvName(provider.prefix, suffix)
      const qualified = joinEnvName(provider.prefix, entry, suffix)
      const about = {
        provider: provider.name,
        category: categoryOf(spec, section, entry),
        optional: false,
        secret: true,
      }
      const place = { origin, meaning: `${origin} ${suffix}` }
      const variables: Variable[] = []
      if (naming.bare) {
        const sameAs = naming.qualified ? { sameAs: qualified } : {}
        variables.push(credentialVariable({ key: bare, ...about, description, ...sameAs }, place))
      }
      if (naming.qualified) {
        variables.push(
          credentialVariable(
            { key: qualified, ...about, description: `${description} for ${origin}` },
            place,
          ),
        )
      }
      return variables
    })
  })
}

/** Returns the credentials that integrations declare. */
export function integrationVariables(spec: AgentSpec): Variable[] {
  return sortedEntries(spec.integrations).flatMap(([entry, { provider, credentials }]) =>
    credentials.map(({ suffix, description, optional }) => {
      const key = joinEnvName(entry, suffix)
      const category = categoryOf(spec, 'integrations', entry)
      const origin = `integrations.${entry}`
      return credentialVariable(
        { key, provider: provider ?? entry, category, description, optional, secret: true },
        { origin, meaning: `${origin} ${suffix}` },
      )
    }),
  )
}

/** Returns the variables of the spec's own providers that are used, once for each provider. */
export function customVariables(spec: AgentSpec, uses: readonly ProviderUse[]): Variable[] {
  const seen = new Set<string>()
  return uses.flatMap(({ section, entry, provider }) => {
    if (provider.kind !== 'custom' || seen.has(provider.name)) return []
    seen.add(provider.name)
    const about = {
      origin: `providers.${provider.name}`,
      provider: provider.name,
      category: categoryOf(spec, section, entry),
    }
    return provider.definition.variables.map((variable) => {
      const meaning = `${about.origin} ${variable.name}`
      return {
        ...inputVariable({ ...variable, name: joinEnvName(provider.name, variable.name) }, about),
        meaning,
        joined: true,
      }
    })
  })
}

/** Returns the addresses of self-hosted providers and containers. */
export function addressVariables(spec: AgentSpec, uses: readonly ProviderUse[]): Variable[] {
  return [...selfHostedAddresses(spec, uses), ...containerAddresses(spec)]
}

function selfHostedAddresses(spec: AgentSpec, uses: readonly ProviderUse[]): Variable[] {
  return nameEntries(selfHostedUses(uses), { preferNamesake: false }).flatMap(({ use, naming }) => {
    const { provider, entry, section } = use
    const origin = `${section}.${entry}`
    const reference = (field: string) => `\${${origin}.${field}}`
    const values: [string, string][] = [
      ['HOST', reference('host')],
      ['PORT', reference('port')],
      ['URL', reference('url')],
    ]
    if (section === 'models') {
      const model = own(spec.models, entry)?.model
      values.push(['BASE_URL', `${reference('url')}/api`])
      if (model !== undefined) values.push(['MODEL', escapeValue(model)])
    }
    if (provider.url.user !== undefined) values.push(['USER', provider.url.user])
    if (provider.url.database !== undefined) values.push(['DB', provider.url.database])
    if (provider.password) values.push(['PASSWORD', reference('password')])
    return values.flatMap(([suffix, value]) => {
      const variable = { value, origin, meaning: `${origin} ${suffix}` }
      const bare = naming.bare ? [{ name: joinEnvName(provider.prefix, suffix), ...variable }] : []
      const qualified = naming.qualified
        ? [{ name: joinEnvName(provider.prefix, entry, suffix), ...variable }]
        : []
      return [...bare, ...qualified]
    })
  })
}

const CONTAINER_SECTIONS = [
  { section: 'models', prefix: 'MODEL', fields: ['host', 'port', 'url'] },
  { section: 'knowledge', prefix: 'KNOWLEDGE', fields: ['host', 'port'] },
  { section: 'tools', prefix: 'TOOL', fields: ['host', 'port', 'url'] },
] as const

function containerAddresses(spec: AgentSpec): Variable[] {
  return CONTAINER_SECTIONS.flatMap(({ section, prefix, fields }) =>
    sortedEntries(spec[section]).flatMap(([entry, { provider, container }]) => {
      if (provider !== undefined || !container) return []
      const origin = `${section}.${entry}`
      return fields.map((field) => ({
        name: joinEnvName(prefix, entry, field),
        value: `\${${origin}.${field}}`,
        origin,
        meaning: `${origin} ${field}`,
      }))
    }),
  )
}
