import { compareCodePoints, own, sortedEntries } from '../json.ts'
import { sanitizeEnvName } from '../names/environment-name.ts'
import {
  findProvider,
  type CloudProvider,
  type Provider,
  type ProviderTable,
  type SelfHostedProvider,
} from '../providers.ts'
import {
  PROVIDER_SECTIONS,
  type AgentSpec,
  type ComponentEntry,
  type CustomProvider,
  type IntegrationEntry,
  type ProviderSection,
} from '../spec-types.ts'

/** What a provider's name means in one section of one file. */
export type KnownProvider =
  | Provider
  | { readonly kind: 'custom'; readonly name: string; readonly definition: CustomProvider }

/** An entry that uses a provider. */
export interface ProviderUse<P = KnownProvider> {
  readonly section: ProviderSection
  readonly entry: string
  readonly provider: P
}

/**
 * Finds what a name means in a section: the file's own definition goes before the platform's of the
 * same name.
 */
export function resolveProvider(
  spec: AgentSpec,
  table: ProviderTable,
  section: ProviderSection,
  name: string,
): KnownProvider | undefined {
  const custom = findCustomProvider(spec, name)
  if (custom?.definition.scope.includes(section)) return { kind: 'custom', ...custom }
  return findProvider(table, section, name)
}

/** The file's own definition of a provider, whatever its scope. */
export function findCustomProvider(
  spec: AgentSpec,
  name: string,
): { name: string; definition: CustomProvider } | undefined {
  const exact = own(spec.providers, name)
  if (exact) return { name, definition: exact }
  const wanted = name.toLowerCase()
  const found = sortedEntries(spec.providers).find(([key]) => key.toLowerCase() === wanted)
  return found && { name: found[0], definition: found[1] }
}

/** Every entry that uses a known provider, by section, then name. */
export function providerUses(spec: AgentSpec, table: ProviderTable): ProviderUse[] {
  return PROVIDER_SECTIONS.flatMap((section) => {
    const entries: [string, ComponentEntry | IntegrationEntry][] = sortedEntries<
      ComponentEntry | IntegrationEntry
    >(spec[section])
    return entries.flatMap(([entry, { provider: name }]) => {
      const provider = name === undefined ? undefined : resolveProvider(spec, table, section, name)
      return provider ? [{ section, entry, provider }] : []
    })
  })
}

/** Only the entries that a container is run for. */
export function selfHostedUses(
  spec: AgentSpec,
  table: ProviderTable,
): ProviderUse<SelfHostedProvider>[] {
  return providerUses(spec, table).flatMap((use) =>
    use.provider.kind === 'self-hosted' ? [{ ...use, provider: use.provider }] : [],
  )
}

/** Only the entries that credentials are needed for. */
export function cloudUses(spec: AgentSpec, table: ProviderTable): ProviderUse<CloudProvider>[] {
  return providerUses(spec, table).flatMap((use) =>
    use.provider.kind === 'cloud' ? [{ ...use, provider: use.provider }] : [],
  )
}

/** How an entry's variables are named. */
export interface EntryNaming {
  /** `{PREFIX}_X` is this entry's. */
  readonly bare: boolean
  /** `{PREFIX}_{ENTRY}_X` is this entry's. */
  readonly qualified: boolean
}

/**
 * Names the variables of entries that share a provider. One entry has the bare names. Of several
 * all have qualified ones, and the bare ones are the first's in code point order; `preferNamesake`
 * gives them to the entry that is named like the provider instead, which then has no qualified
 * ones.
 */
export function nameEntries<U extends ProviderUse<CloudProvider | SelfHostedProvider>>(
  uses: readonly U[],
  options: { preferNamesake: boolean },
): { use: U; naming: EntryNaming }[] {
  const groups = new Map<string, U[]>()
  for (const use of uses) {
    const group = groups.get(use.provider.prefix)
    if (group) group.push(use)
    else groups.set(use.provider.prefix, [use])
  }
  return [...groups.values()].flatMap((group) => {
    const sorted = group.toSorted((a, b) => compareCodePoints(a.entry, b.entry))
    const isNamesake = (use: U) => sanitizeEnvName(use.entry) === use.provider.prefix
    const namesake = options.preferNamesake ? sorted.find(isNamesake) : undefined
    const several = sorted.length > 1
    return sorted.map((use) => ({
      use,
      naming: { bare: use === (namesake ?? sorted[0]), qualified: several && use !== namesake },
    }))
  })
}
