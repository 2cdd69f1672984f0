import type { Part } from './part.ts'
import { identityProviderPart } from './parts/identity-provider.ts'
import { imagesPart } from './parts/images.ts'
import { ingressPart } from './parts/ingress.ts'
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
    ingressPart,
    imagesPart,
    ...serviceParts,
  ]
  if (settings.kubeconfig === undefined) return parts
  // Another cluster has a network and an ingress controller of its own, and doesn't reach this machine's registry; then
  // nothing here needs root.
  const ofOwnCluster: readonly Part[] = [networkPart, ingressPart, imagesPart]
  return parts
    .filter((part) => !ofOwnCluster.includes(part))
    .map((part) => ({ ...part, needs: part.needs.filter((name) => name !== networkPart.name) }))
}
