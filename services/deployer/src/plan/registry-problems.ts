import type { DeploymentTemplate, TemplateSettings } from '@slipway/agent-spec'

import { isInternalRegistry, registryOf } from '../domain/image-registry.ts'

const SECTIONS = ['models', 'knowledge', 'tools', 'ingestion'] as const

/** Which images may come from registries in internal networks. */
export interface RegistryPolicy {
  /** Its images are the operator's choice. */
  readonly template: TemplateSettings
  /** Registries that the operator allows, as in references and in lower case; `*` allows all. */
  readonly internalRegistries: ReadonlySet<string>
}

/**
 * Reports images from registries in internal networks, as `path: problem`. Nodes would connect to
 * them with the operator's access to these networks.
 */
export function registryProblems(template: DeploymentTemplate, policy: RegistryPolicy): string[] {
  if (policy.internalRegistries.has('*')) return []
  const ofProviders = new Set(
    policy.template.providers.flatMap((provider) =>
      provider.kind === 'self-hosted' ? [provider.image] : [],
    ),
  )
  const images = [
    ['agent', template.agent.image] as const,
    ...SECTIONS.flatMap((section) =>
      Object.entries(template[section]).map(
        ([name, { image }]) => [`${section}.${name}`, image] as const,
      ),
    ),
  ]
  return images.flatMap(([path, image]) => {
    const registry = registryOf(image)
    const isAllowed =
      registry === undefined ||
      !isInternalRegistry(registry) ||
      policy.internalRegistries.has(registry) ||
      ofProviders.has(image)
    return isAllowed
      ? []
      : [
          `${path}.image: the registry ${registry} has an IP address or an internal name; ` +
            'use one with a public name, or ask the operator to add it to INTERNAL_REGISTRIES',
        ]
  })
}
