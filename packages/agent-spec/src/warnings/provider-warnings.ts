import type { FieldProblem } from '../environment/collisions.ts'
import { findCustomProvider, resolveProvider } from '../environment/provider-use.ts'
import { sortedEntries } from '../json.ts'
import { findProvider, type ProviderTable } from '../providers.ts'
import { COMPONENT_SECTIONS, type AgentSpec, type ProviderSection } from '../spec-types.ts'

/** Like unknownProviders; also reports integrations that need nothing. */
export function providerWarnings(spec: AgentSpec, table: ProviderTable): FieldProblem[] {
  const useless = sortedEntries(spec.integrations).filter(
    ([, { provider, credentials }]) => provider === undefined && credentials.length === 0,
  )
  return [
    ...unknownProviders(spec, table),
    ...useless.map(([name]) => ({
      field: `integrations.${name}`,
      message: 'needs a known provider or at least one credential',
    })),
  ]
}

/** Reports unknown providers, and providers whose scope excludes the section they are used in. */
export function unknownProviders(spec: AgentSpec, table: ProviderTable): FieldProblem[] {
  return [
    ...COMPONENT_SECTIONS.flatMap((section) =>
      sortedEntries(spec[section]).flatMap(([name, { provider }]) =>
        provider === undefined ? [] : unknownProvider(spec, table, section, name, provider),
      ),
    ),
    ...sortedEntries(spec.integrations).flatMap(([name, { provider, credentials }]) => {
      // If an integration declares its credentials, its provider is only a label.
      return credentials.length > 0 || provider === undefined
        ? []
        : unknownProvider(spec, table, 'integrations', name, provider)
    }),
  ]
}

function unknownProvider(
  spec: AgentSpec,
  table: ProviderTable,
  section: ProviderSection,
  name: string,
  provider: string,
): FieldProblem[] {
  if (resolveProvider(spec, table, section, provider)) return []
  const field = `${section}.${name}.provider`
  const shown = provider.length > 60 ? `${provider.slice(0, 60)}…` : provider
  if (findCustomProvider(spec, provider)) {
    return [{ field, message: `the scope of the provider ${shown} does not include ${section}` }]
  }
  const known = table.filter((row) => row.section === section).map((row) => row.name)
  const elsewhere = [...COMPONENT_SECTIONS, 'integrations' as const].find((other) =>
    findProvider(table, other, provider),
  )
  const hint =
    elsewhere === undefined
      ? `known providers are ${known.join(', ')}`
      : `it is a provider for ${elsewhere}`
  return [{ field, message: `unknown provider ${shown}: ${hint}` }]
}
