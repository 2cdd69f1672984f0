import { componentName, labelValue, objectName, type ComponentKind } from '@slipway/agent-spec'

import {
  ACCOUNT_LABEL,
  AGENT_LABEL,
  COMPONENT_LABEL,
  DEPLOYMENT_LABEL,
  MANAGED_BY,
  MANAGED_BY_LABEL,
} from '../domain/labels.ts'

/** The deployment that objects belong to. */
export interface Identity {
  readonly deploymentId: string
  readonly accountId: string
  readonly agent: string
  readonly buildId: string
  readonly namespace: string
}

/** A component, by its kind and its name in the spec. */
export interface ComponentRef {
  readonly kind: ComponentKind
  readonly entry?: string
}

/**
 * Returns the labels of pods, claims and namespaces. They never change while a deployment exists.
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
    [ACCOUNT_LABEL]: labelValue(identity.accountId),
    [AGENT_LABEL]: labelValue(identity.agent),
  }
}

/**
 * Returns the labels of an object. They contain the build, so only the agent's pods have them,
 * because a new build must not restart stores that it doesn't change.
 */
export function objectLabels(identity: Identity, component?: ComponentRef): Record<string, string> {
  const build = labelValue(identity.buildId)
  return {
    ...stableLabels(identity, component),
    'app.kubernetes.io/version': build,
    'slipway.dev/build': build,
  }
}

/** Returns the labels of a component's pods. */
export function podLabels(identity: Identity, component: ComponentRef): Record<string, string> {
  return component.kind === 'agent'
    ? objectLabels(identity, component)
    : stableLabels(identity, component)
}

/** Returns the selector of a component's pods. Selectors are immutable, so it must never change. */
export function podSelector(identity: Identity, component: ComponentRef): Record<string, string> {
  return {
    'app.kubernetes.io/instance': identity.namespace,
    [COMPONENT_LABEL]: componentName(component.kind, component.entry),
  }
}

/** Returns the metadata of an object; without `component` for objects of the whole deployment. */
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

// Labels can't hold every build id in full.
function annotations(identity: Identity): Record<string, string> {
  return { 'slipway.dev/build-id': identity.buildId }
}

/** Returns the name of a component's objects. */
export function nameOf(identity: Identity, component: ComponentRef, limit?: number): string {
  return objectName(identity.agent, component.kind, component.entry, limit)
}
