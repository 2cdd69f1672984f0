import type { Part } from './part.ts'
import { identityProviderPart } from './parts/identity-provider.ts'
import { kubernetesPart } from './parts/kubernetes.ts'
import { natsPart } from './parts/nats.ts'
import { networkPart } from './parts/network.ts'
import { postgresPart } from './parts/postgres.ts'
import { registryPart } from './parts/registry.ts'
import { serviceParts } from './parts/services.ts'
import type { StackSettings } from './settings.ts'

/** Everything that a stack with these settings consists of. */
export function partsOf(settings: Pick<StackSettings, 'kubeconfig'>): readonly Part[] {
  const parts = [
    postgresPart,
    natsPart,
    identityProviderPart,
    registryPart,
    networkPart,
    kubernetesPart,
    ...serviceParts,
  ]
  if (settings.kubeconfig === undefined) return parts
  // Another cluster has a network of its own, and then nothing here needs root.
  return parts
    .filter((part) => part !== networkPart)
    .map((part) => ({ ...part, needs: part.needs.filter((name) => name !== networkPart.name) }))
}
