import { componentName, labelValue, objectName, type ComponentKind } from '@slipway/agent-spec'

import {
  AGENT_LABEL,
  COMPONENT_LABEL,
  DEPLOYMENT_LABEL,
  MANAGED_BY,
  MANAGED_BY_LABEL,
} from '../domain/labels.ts'

/** Whose objects they are. */
export interface Identity {
  readonly deploymentId: string
  readonly accountId: string
  readonly agent: string
  readonly buildId: string
  readonly namespace: string
}

/** A component, by its kind and its name in the spec file. */
export interface ComponentRef {
  readonly kind: ComponentKind
  readonly entry?: string
}

/**
 * Labels that stay the same for as long as the deployment lives: for pods, claims and namespaces.
 */
export function stableLabels(identity: Identity, component?: ComponentRef): Record<string, string> {
  return {
    'app.kubernetes.io/name': labelValue(identity.agent),
    'app.kubernetes.io/instance': identity.namespace,
    [MANAGED_BY_LABEL]: MANAGED_BY,
    'app.kubernetes.io/part-of': 'slipway',
    ...(component && {
      [COMPONENT_LABEL]: componentName(component.kind, component.entry),
    }),
    [DEPLOYMENT_LABEL]: identity.deploymentId,
    'slipway.dev/account-id': labelValue(identity.accountId),
    [AGENT_LABEL]: labelValue(identity.agent),
  }
}

/**
 * Labels of an object. They name the build, so pods other than the agent's don't have them: a new
 * build must not restart a store that it doesn't change.
 */
export function objectLabels(identity: Identity, component?: ComponentRef): Record<string, string> {
  const build = labelValue(identity.buildId)
  return {
    ...stableLabels(identity, component),
    'app.kubernetes.io/version': build,
    'slipway.dev/build': build,
  }
}

/** Labels of a component's pods. */
export function podLabels(identity: Identity, component: ComponentRef): Record<string, string> {
  return component.kind === 'agent'
    ? objectLabels(identity, component)
    : stableLabels(identity, component)
}

/** What selects a component's pods. Never changes: a selector can't be. */
export function podSelector(identity: Identity, component: ComponentRef): Record<string, string> {
  return {
    'app.kubernetes.io/instance': identity.namespace,
    [COMPONENT_LABEL]: componentName(component.kind, component.entry),
  }
}

/**
 * What every object of a deployment has in common; `component` is left out for those of the
 * deployment as a whole.
 */
export function objectMetadata(
  identity: Identity,
  name: string,
  component?: ComponentRef,
): {
  name: string
  namespace: string
  labels: Record<string, string>
  annotations: Record<string, string>
} {
  return {
    name,
    namespace: identity.namespace,
    labels: objectLabels(identity, component),
    annotations: annotations(identity),
  }
}

/** Values that labels can't hold in full. */
function annotations(identity: Identity): Record<string, string> {
  return { 'slipway.dev/build-id': identity.buildId }
}

/** The name of a component's objects. */
export function nameOf(identity: Identity, component: ComponentRef, limit?: number): string {
  return objectName(identity.agent, component.kind, component.entry, limit)
}
