import type { Part } from '../stack/part.ts'
import { consolePart } from './console.ts'
import { identityProviderPart } from './identity-provider.ts'
import { imagesPart } from './images.ts'
import { ingressPart } from './ingress.ts'
import { kubernetesPart } from './kubernetes.ts'
import { metricsPart } from './metrics.ts'
import { natsPart } from './nats.ts'
import { networkPart } from './network.ts'
import { postgresPart } from './postgres.ts'
import { registryPart } from './registry.ts'
import { releasePart } from './release.ts'
import { serviceParts } from './services.ts'
import type { StackSettings } from '../stack/settings.ts'

/** Returns the parts of a stack with these settings. */
export function partsOf(
  settings: Pick<StackSettings, 'inCluster' | 'kubeconfig'>,
): readonly Part[] {
  if (settings.inCluster)
    return [
      registryPart,
      networkPart,
      kubernetesPart,
      metricsPart,
      ingressPart,
      imagesPart,
      releasePart,
    ]
  const parts = [
    postgresPart,
    natsPart,
    identityProviderPart,
    registryPart,
    networkPart,
    kubernetesPart,
    metricsPart,
    ingressPart,
    imagesPart,
    consolePart,
    ...serviceParts,
  ]
  if (settings.kubeconfig === undefined) return parts
  // Another cluster has its own network, metrics and ingress controller, and can't reach this
  // machine's registry. Without these parts nothing needs root.
  const ofOwnCluster: readonly Part[] = [networkPart, metricsPart, ingressPart, imagesPart]
  return parts
    .filter((part) => !ofOwnCluster.includes(part))
    .map((part) => ({ ...part, needs: part.needs.filter((name) => name !== networkPart.name) }))
}
