import { NAME_LIMITS, type ResolvedComponent } from '@slipway/agent-spec'

import type { KubernetesObject } from '../domain/kubernetes-object.ts'
import {
  nameOf,
  objectMetadata,
  podSelector,
  stableLabels,
  type ComponentRef,
  type Identity,
} from './identity.ts'
import { DATA_VOLUME, renderPodTemplate, type PodReferences } from './pod-template.ts'
import type { ManifestSettings } from './settings.ts'
import type { Deployment, Service, StatefulSet } from './types.ts'

/** Renders a component's workload: a stateful set if it has a volume, otherwise a Deployment. */
export function renderWorkload(
  identity: Identity,
  component: ResolvedComponent,
  references: PodReferences,
  settings: ManifestSettings,
): KubernetesObject {
  return component.storage
    ? renderStatefulSet(identity, component, references, settings)
    : renderDeployment(identity, component, references, settings)
}

/**
 * Returns the name of a component's workload and Service. It is shorter than other names, because
 * stateful sets use it in a label of their pods.
 */
export function workloadName(identity: Identity, component: ComponentRef): string {
  return nameOf(identity, component, NAME_LIMITS.statefulSet)
}

function renderDeployment(
  identity: Identity,
  component: ResolvedComponent,
  references: PodReferences,
  settings: ManifestSettings,
): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: objectMetadata(identity, workloadName(identity, component), component),
    spec: {
      replicas: component.replicas,
      revisionHistoryLimit: 3,
      selector: { matchLabels: podSelector(identity, component) },
      strategy: renderStrategy(component),
      template: renderPodTemplate(identity, component, references, settings),
    },
  }
}

function renderStrategy({
  update,
}: ResolvedComponent): NonNullable<NonNullable<Deployment['spec']>['strategy']> {
  if (update.strategy === 'recreate') return { type: 'Recreate' }
  return {
    type: 'RollingUpdate',
    rollingUpdate: { maxUnavailable: update.max_unavailable, maxSurge: update.max_surge },
  }
}

function renderStatefulSet(
  identity: Identity,
  component: ResolvedComponent,
  references: PodReferences,
  settings: ManifestSettings,
): StatefulSet {
  const { storage } = component
  const name = workloadName(identity, component)
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: objectMetadata(identity, name, component),
    spec: {
      replicas: component.replicas,
      revisionHistoryLimit: 3,
      serviceName: name,
      // With the default policy, an update waits forever for a broken pod instead of replacing it.
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: podSelector(identity, component) },
      template: renderPodTemplate(identity, component, references, settings),
      volumeClaimTemplates: storage
        ? [
            {
              apiVersion: 'v1',
              kind: 'PersistentVolumeClaim',
              metadata: { name: DATA_VOLUME, labels: stableLabels(identity, component) },
              spec: {
                accessModes: [storage.accessMode],
                resources: { requests: { storage: storage.size } },
                ...(storage.storageClass !== undefined && {
                  storageClassName: storage.storageClass,
                }),
              },
            },
          ]
        : [],
    },
  }
}

/** Renders a component's Service, headless for a stateful set. */
export function renderService(identity: Identity, component: ResolvedComponent): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: objectMetadata(identity, workloadName(identity, component), component),
    spec: {
      ...(component.storage && { clusterIP: 'None' }),
      selector: podSelector(identity, component),
      ports: component.ports.map(({ name, port }) => ({
        name,
        port,
        targetPort: name,
        protocol: 'TCP',
      })),
    },
  }
}
