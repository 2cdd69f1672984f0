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

/** The provider that a name refers to in one section of a spec. */
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
 * Finds the provider that a name refers to in a section. The spec's own definition takes precedence
 * over the platform's.
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

/** Finds the spec's own definition of a provider, ignoring its scope. */
export function findCustomProvider(
  spec: AgentSpec,
  name: string,
): { name: string; definition: CustomProvider } | undefined {
  const exact = own(spec.providers, name)
  if (exact) return { name, definition: exact }
  const found = lowerNames(spec.providers).get(name.toLowerCase())
  const definition = found === undefined ? undefined : own(spec.providers, found)
  return found === undefined || definition === undefined ? undefined : { name: found, definition }
}

const known = new WeakMap<AgentSpec['providers'], ReadonlyMap<string, string>>()

/** The names of providers by their lower-case form, the first in code point order. */
function lowerNames(providers: AgentSpec['providers']): ReadonlyMap<string, string> {
  let names = known.get(providers)
  if (names === undefined) {
    const last = sortedEntries(providers).toReversed()
    names = new Map(last.map(([name]) => [name.toLowerCase(), name]))
    known.set(providers, names)
  }
  return names
}

/** Returns every entry that uses a known provider, sorted by section, then name. */
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

/** Returns the uses of providers that run as a container. */
export function selfHostedUses(uses: readonly ProviderUse[]): ProviderUse<SelfHostedProvider>[] {
  return uses.flatMap((use) =>
    use.provider.kind === 'self-hosted' ? [{ ...use, provider: use.provider }] : [],
  )
}

/** Returns the uses of providers that need credentials. */
export function cloudUses(uses: readonly ProviderUse[]): ProviderUse<CloudProvider>[] {
  return uses.flatMap((use) =>
    use.provider.kind === 'cloud' ? [{ ...use, provider: use.provider }] : [],
  )
}

/** Which names an entry's variables have. */
export interface EntryNaming {
  /** The entry has `{PREFIX}_X`. */
  readonly bare: boolean
  /** The entry has `{PREFIX}_{ENTRY}_X`. */
  readonly qualified: boolean
}

/**
 * Names the variables of entries that share a provider. A single entry has the bare names. If there
 * are several, all have qualified names and the first in code point order also has the bare ones.
 * With `preferNamesake`, an entry with the name of the provider has the bare names instead, and
 * only those.
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
