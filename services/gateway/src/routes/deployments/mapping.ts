import type { MessageInitShape } from '@bufbuild/protobuf'
import {
  ComponentKind,
  DeploymentState,
  DeployStatus,
  ResourceStatus,
  RevisionState,
  ServiceEndpointType,
  type Deployment,
  type DeploymentComponent,
  type ResourceResult,
  type Revision,
  type Rollout,
  type ServiceEndpoint,
} from '@slipway/proto/slipway/deployer/v1/deployment'
import type {
  DeployResponse,
  DeployTargetSchema,
} from '@slipway/proto/slipway/deployer/v1/deployment_service'
import type { Static } from 'typebox'

import type { DeployBody } from './schemas.ts'
import { toTimeText } from '../../http/time.ts'

const RESOURCE_STATUS_NAMES: Readonly<Record<number, string>> = {
  [ResourceStatus.CREATED]: 'created',
  [ResourceStatus.UPDATED]: 'updated',
  [ResourceStatus.UNCHANGED]: 'unchanged',
  [ResourceStatus.PRUNED]: 'pruned',
  [ResourceStatus.FAILED]: 'failed',
}

const STATE_NAMES: Readonly<Record<number, string>> = {
  [DeploymentState.PROGRESSING]: 'progressing',
  [DeploymentState.READY]: 'ready',
  [DeploymentState.DEGRADED]: 'degraded',
  [DeploymentState.FAILED]: 'failed',
  [DeploymentState.UNDEPLOYING]: 'undeploying',
  [DeploymentState.UNDEPLOYED]: 'undeployed',
}

const ENDPOINT_TYPE_NAMES: Readonly<Record<number, string>> = {
  [ServiceEndpointType.HTTP]: 'http',
  [ServiceEndpointType.WEB]: 'web',
  [ServiceEndpointType.SLACK]: 'slack',
  [ServiceEndpointType.WEBHOOK]: 'webhook',
}

const COMPONENT_KIND_NAMES: Readonly<Record<number, string>> = {
  [ComponentKind.AGENT]: 'agent',
  [ComponentKind.MODEL]: 'model',
  [ComponentKind.KNOWLEDGE]: 'knowledge',
  [ComponentKind.TOOL]: 'tool',
  [ComponentKind.INGESTION]: 'ingestion',
  [ComponentKind.MESSAGING]: 'messaging',
}

/** The deploy that a request body asks for. */
export function toDeployTarget(
  body: Static<typeof DeployBody>,
): MessageInitShape<typeof DeployTargetSchema> {
  return {
    account: body.account,
    name: body.name,
    sourceAccount: body.source_account ?? '',
    userCredentials: body.user_credentials ?? {},
    ...(body.interfaces === undefined ? {} : { interfaces: { names: body.interfaces } }),
    ...(body.schedules === undefined ? {} : { schedules: { schedules: body.schedules } }),
    overridesJson:
      body.overrides === undefined ? '' : JSON.stringify(body.overrides, keepLargeNumber),
  }
}

// As JSON, a number too large to be one would be null, which takes an override back; so it stays
// what it is: wrong.
function keepLargeNumber(_key: string, value: unknown): unknown {
  return value === Infinity || value === -Infinity
    ? JSON.rawJSON(`${value < 0 ? '-' : ''}1e999`)
    : value
}

/** A deploy's answer as the REST API shows it. */
export function toDeployJson(response: DeployResponse) {
  return {
    status: response.status === DeployStatus.SUCCESS ? ('success' as const) : ('partial' as const),
    name: response.name,
    build_id: response.buildId,
    k8s_namespace: response.k8sNamespace,
    deployed_at: toTimeText(response.deployTime),
    revision: response.revision,
    resources: response.resources.map(toResourceJson),
    service_endpoints: response.serviceEndpoints.map(toEndpointJson),
    errors: response.errors,
    ...(response.rollout ? { rollout: toRolloutJson(response.rollout) } : {}),
  }
}

function toEndpointJson({ name, url, type }: ServiceEndpoint) {
  return { name, url, type: ENDPOINT_TYPE_NAMES[type] ?? 'unspecified' }
}

function toResourceJson({ kind, name, namespace, status, message }: ResourceResult) {
  return {
    kind,
    name,
    namespace,
    status: RESOURCE_STATUS_NAMES[status] ?? 'failed',
    ...(message === '' ? {} : { message }),
  }
}

function toRolloutJson({ state, reason, components }: Rollout) {
  return {
    state: toStateName(state),
    ...(reason === '' ? {} : { reason }),
    components: components.map((component) => ({
      name: component.name,
      state: toStateName(component.state),
      ...(component.reason === '' ? {} : { reason: component.reason }),
    })),
  }
}

/** The name of a deployment's or component's state. */
export function toStateName(state: DeploymentState): string {
  return STATE_NAMES[state] ?? 'progressing'
}

/** A live deployment as the REST API shows it; lists leave the pods out. */
export function toDeploymentJson(deployment: Deployment) {
  return {
    name: deployment.name,
    state: toStateName(deployment.state),
    ...(deployment.reason === '' ? {} : { reason: deployment.reason }),
    revision: deployment.revision,
    build_id: deployment.buildId,
    ...(deployment.sourceAccount === '' ? {} : { source_account: deployment.sourceAccount }),
    k8s_namespace: deployment.k8sNamespace,
    deployed_at: toTimeText(deployment.deployTime),
    deployed_by: deployment.deployedBy,
    components: deployment.components.map(toComponentJson),
    service_endpoints: deployment.serviceEndpoints.map(toEndpointJson),
  }
}

function toComponentJson({ name, kind, state, reason, pods }: DeploymentComponent) {
  return {
    name,
    kind: COMPONENT_KIND_NAMES[kind] ?? 'unspecified',
    state: toStateName(state),
    ...(reason === '' ? {} : { reason }),
    pods: pods.map((pod) => ({
      name: pod.name,
      phase: pod.phase,
      ready: pod.ready,
      restarts: pod.restarts,
      ...(pod.reason === '' ? {} : { reason: pod.reason }),
    })),
  }
}

const REVISION_STATE_NAMES: Readonly<Record<number, string>> = {
  [RevisionState.APPLYING]: 'applying',
  [RevisionState.APPLIED]: 'applied',
  [RevisionState.PARTIAL]: 'partial',
  [RevisionState.FAILED]: 'failed',
  [RevisionState.SUPERSEDED]: 'superseded',
}

/** A revision as the REST API shows it. */
export function toRevisionJson(revision: Revision) {
  return {
    revision: revision.revision,
    state: REVISION_STATE_NAMES[revision.state] ?? 'applying',
    build_id: revision.buildId,
    ...(revision.version === undefined ? {} : { version: revision.version }),
    created_at: toTimeText(revision.createTime),
    created_by: revision.createdBy,
    errors: revision.errors,
    ...(revision.rolledBackTo === undefined ? {} : { rolled_back_to: revision.rolledBackTo }),
    live: revision.live,
    restorable: revision.restorable,
  }
}
