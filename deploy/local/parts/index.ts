import type { Part } from '../stack/part.ts'
import { identityProviderPart } from './identity-provider.ts'
import { imagesPart } from './images.ts'
import { ingressPart } from './ingress.ts'
import { kubernetesPart } from './kubernetes.ts'
import { natsPart } from './nats.ts'
import { networkPart } from './network.ts'
import { postgresPart } from './postgres.ts'
import { registryPart } from './registry.ts'
import { serviceParts } from './services.ts'
import type { StackSettings } from '../stack/settings.ts'

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
  // Another cluster has a network and an ingress controller of its own, and doesn't reach this
  // machine's registry; then nothing here needs root.
  const ofOwnCluster: readonly Part[] = [networkPart, ingressPart, imagesPart]
  return parts
    .filter((part) => !ofOwnCluster.includes(part))
    .map((part) => ({ ...part, needs: part.needs.filter((name) => name !== networkPart.name) }))
}
