import { declaredCredentials } from './environment/environments.ts'
import { interfaceCredentials } from './interfaces.ts'
import { compareCodePoints } from './json.ts'
import { defaultProviders, type ProviderTable } from './providers.ts'
import type { AgentSpec } from './spec-types.ts'

/** A required or optional credential of a deployment. */
export interface Credential {
  readonly key: string
  readonly provider: string
  readonly category: string
  readonly description: string
  readonly optional: boolean
}

/** Returns the credentials of an agent and the given interfaces, once for each key, sorted. */
export function requiredCredentials(
  spec: AgentSpec,
  options: { readonly interfaces?: readonly string[]; readonly providers?: ProviderTable } = {},
): Credential[] {
  const declared = declaredCredentials(
    spec,
    options.providers ?? defaultProviders,
    interfaceCredentials(options.interfaces ?? []),
  )
  return [...declared.values()]
    .filter(({ secret }) => secret)
    .sort((a, b) => compareCodePoints(a.key, b.key))
    .map(({ key, provider, category, description, optional }) => ({
      key,
      provider,
      category,
      description,
      optional,
    }))
}
