import { isDeepStrictEqual } from 'node:util'

import type { ResolvedComponent } from '@slipway/agent-spec'

import type { SecretPlan } from '../domain/secret-plan.ts'
import { secretName } from '../manifests/config-and-secrets.ts'
import type { ComponentRef, Identity } from '../manifests/identity.ts'
import type { SecretContents } from './read-secrets.ts'

/** A Secret to apply. */
export interface PlannedSecret {
  /** The component that it belongs to; empty for a Secret of the whole deployment. */
  readonly component: string
  readonly ref: ComponentRef
  readonly name: string
  readonly data: Readonly<Record<string, string>>
}

/** What the names of Secrets depend on. */
export interface SecretNaming {
  readonly nameKey: Buffer
  /** Values that the deployer has generated: the plan of a first deploy has other ones. */
  readonly generated?: readonly string[]
  /** The deployment's Secrets in the cluster. */
  readonly contents?: SecretContents
  /** The Secrets of the revision before. */
  readonly former?: SecretPlan | undefined
}

/**
 * Plans a Secret for each component that has secret variables, and records the location from which
 * each credential can be read again.
 */
export function planSecrets(
  identity: Identity,
  components: readonly ResolvedComponent[],
  credentials: Readonly<Record<string, string>>,
  naming: SecretNaming,
): { secrets: PlannedSecret[]; plan: SecretPlan } {
  const data = new Map(components.map(({ name, environment }) => [name, { ...environment.secret }]))
  const places = placesByValue(components)
  const found = Object.entries(credentials).map(
    ([key, value]) => [key, findSource(key, value, { components, places, data })] as const,
  )
  const secrets: PlannedSecret[] = []
  for (const component of components) {
    const content = data.get(component.name) ?? {}
    if (Object.keys(content).length === 0) continue
    const name = nameFor(identity, component, content, naming)
    secrets.push({ component: component.name, ref: component, name, data: content })
  }
  const nameOfRole = new Map(secrets.map(({ component, name }) => [component, name]))
  return {
    secrets,
    plan: {
      roles: Object.fromEntries(
        secrets.map(({ component, name, data: content }) => [
          component,
          { secret: name, keys: Object.keys(content).sort() },
        ]),
      ),
      sources: Object.fromEntries(
        found.map(([key, { component, dataKey }]) => [
          key,
          { secret: nameOfRole.get(component) ?? '', key: dataKey },
        ]),
      ),
    },
  }
}

type Content = Readonly<Record<string, string>>

/**
 * The name of a component's Secret: that of before if it has this content, or else one that no
 * Secret with other generated values has, because Secrets don't change.
 */
function nameFor(
  identity: Identity,
  component: ResolvedComponent,
  content: Content,
  { nameKey: key, generated = [], contents = new Map(), former }: SecretNaming,
): string {
  const known = former?.roles[component.name]?.secret
  if (known !== undefined && isDeepStrictEqual({ ...contents.get(known) }, content)) return known
  const named = Object.entries(content).map(([variable, value]) => [
    variable,
    generated.reduce((text, each) => text.replaceAll(each, GENERATED), value),
  ])
  const nameAfter = (replaced?: string) =>
    secretName(identity, component, Object.fromEntries(named), { key, former: replaced })
  let name = nameAfter()
  while (hasOtherGenerated(contents.get(name), content, generated)) name = nameAfter(name)
  return name
}

/**
 * Whether a Secret differs from a content in values that were generated, and only there. One that
 * differs in others isn't what its name says: somebody has changed it, and the deploy restores it.
 */
function hasOtherGenerated(
  existing: Content | undefined,
  content: Content,
  generated: readonly string[],
): boolean {
  if (existing === undefined || isDeepStrictEqual({ ...existing }, content)) return false
  const names = Object.keys(content)
  return (
    names.length === Object.keys(existing).length &&
    names.every(
      (name) =>
        existing[name] === content[name] ||
        (name in existing && generated.some((each) => content[name]?.includes(each))),
    )
  )
}

/** In place of generated values. */
const GENERATED = '\0generated\0'

/** Begins the keys of values in a Secret that no variable uses alone. */
const CREDENTIAL_PREFIX = 'credential.'

/** The credential, or the variable, that a key of a Secret belongs to. */
export function credentialOfKey(dataKey: string): string {
  return dataKey.startsWith(CREDENTIAL_PREFIX) ? dataKey.slice(CREDENTIAL_PREFIX.length) : dataKey
}

interface Place {
  readonly component: string
  readonly dataKey: string
}

interface Search {
  readonly components: readonly ResolvedComponent[]
  /** See `placesByValue`. */
  readonly places: ReadonlyMap<string, Place>
  /** The variables of each component's Secret. */
  readonly data: ReadonlyMap<string, Record<string, string>>
}

/** The first secret variable with each value. */
function placesByValue(components: readonly ResolvedComponent[]): Map<string, Place> {
  const places = new Map<string, Place>()
  for (const { name, environment } of components) {
    for (const [dataKey, value] of Object.entries(environment.secret))
      if (!places.has(value)) places.set(value, { component: name, dataKey })
  }
  return places
}

/**
 * Finds a key whose value is exactly the credential: preferably a variable with the credential's
 * name. When the credential is only part of other values, e.g. of a URL, adds it to the same Secret
 * under a key that no variable uses.
 */
function findSource(key: string, value: string, { components, places, data }: Search): Place {
  for (const { name, environment } of components) {
    if (Object.hasOwn(environment.secret, key) && environment.secret[key] === value) {
      return { component: name, dataKey: key }
    }
  }
  const same = places.get(value)
  if (same) return same
  const user = components.find(({ environment }) =>
    Object.values(environment.secret).some((text) => text.includes(value)),
  )
  const component = user?.name ?? 'agent'
  const dataKey = `${CREDENTIAL_PREFIX}${key}`
  const content = data.get(component)
  if (content) content[dataKey] = value
  return { component, dataKey }
}
