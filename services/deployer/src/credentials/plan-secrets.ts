import type { ResolvedComponent } from '@slipway/agent-spec'

import type { SecretPlan } from '../domain/secret-plan.ts'
import { secretName } from '../manifests/config-and-secrets.ts'
import type { ComponentRef, Identity } from '../manifests/identity.ts'

/** A Secret to apply. */
export interface PlannedSecret {
  /** The component that it belongs to; empty for a Secret of the whole deployment. */
  readonly component: string
  readonly ref: ComponentRef
  readonly name: string
  readonly data: Readonly<Record<string, string>>
}

/**
 * Plans a Secret for each component that has secret variables, and records the location from which
 * each credential can be read again.
 */
export function planSecrets(
  identity: Identity,
  components: readonly ResolvedComponent[],
  credentials: Readonly<Record<string, string>>,
  nameKey: Buffer,
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
    const name = secretName(identity, component, content, nameKey)
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
