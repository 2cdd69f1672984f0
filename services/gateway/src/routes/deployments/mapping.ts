import type { MessageInitShape } from '@bufbuild/protobuf'
import {
  DeployStatus,
  ResourceStatus,
  type ResourceResult,
  type DeployResult,
  type Rollout,
} from '@slipway/proto/slipway/deployer/v1/deploy_result'
import {
  ComponentKind,
  DeploymentState,
  ServiceEndpointType,
  type Deployment,
  type DeploymentComponent,
  type PodExit,
  type ServiceEndpoint,
} from '@slipway/proto/slipway/deployer/v1/deployment'
import type { DeployTargetSchema } from '@slipway/proto/slipway/deployer/v1/deploy_target'
import { nameOf } from '@slipway/shared/enum-names'
import type { Static } from 'typebox'

import { HttpProblem } from '../../http/problem.ts'
import { toTimeText } from '../../http/requests/time.ts'
import { toChosenBuildJson } from '../build-choice.ts'
import type { StateName } from './choices.ts'
import { toFailureJson, type FailedDeployment } from './failure-mapping.ts'
import type { DeployBody } from './schemas.ts'

/** Converts the body of a deploy request. */
export function toDeployTarget(
  body: Static<typeof DeployBody>,
  { strict }: { readonly strict: boolean },
): MessageInitShape<typeof DeployTargetSchema> {
  return {
    account: body.account,
    name: body.name,
    sourceAccount: body.source_account ?? '',
    sourceAccountId: body.source_account_id ?? '',
    strict,
    buildId: body.build_id ?? '',
    version: body.version ?? '',
    userCredentials: body.user_credentials ?? {},
    ...(body.interfaces === undefined ? {} : { interfaces: { names: body.interfaces } }),
    ...(body.schedules === undefined ? {} : { schedules: { schedules: body.schedules } }),
    overridesJson:
      body.overrides === undefined ? '' : JSON.stringify(body.overrides, keepLargeNumber),
  }
}

// JSON.stringify writes a number beyond a double's range as null, which would remove an override.
// With the text below, the deployer receives the number and rejects it.
function keepLargeNumber(_key: string, value: unknown): unknown {
  return value === Infinity || value === -Infinity
    ? JSON.rawJSON(`${value < 0 ? '-' : ''}1e999`)
    : value
}

/** The result of a deploy or rollback in the REST API. `warnings` are those of the gateway. */
export function toDeployJson(
  result: DeployResult | undefined,
  account: string,
  warnings: readonly string[] = [],
) {
  if (result === undefined) throw new HttpProblem(500, 'internal_server_error', 'internal error')
  const allWarnings = [...warnings, ...result.warnings, ...interruptionOf(result, account)]
  return {
    status: result.status === DeployStatus.SUCCESS ? ('success' as const) : ('partial' as const),
    name: result.name,
    build_id: result.buildId,
    ...toChosenBuildJson(result),
    k8s_namespace: result.k8sNamespace,
    deployed_at: toTimeText(result.deployTime),
    revision: result.revision,
    resources: result.resources.map(toResourceJson),
    service_endpoints: result.serviceEndpoints.map(toEndpointJson),
    errors: result.errors,
    images: result.images,
    ...(allWarnings.length === 0 ? {} : { warnings: allWarnings }),
    ...(result.rolledBackTo === undefined ? {} : { rolled_back_to: result.rolledBackTo }),
    ...(result.rollout
      ? { rollout: toRolloutJson(result.rollout, { account, namespace: result.k8sNamespace }) }
      : {}),
  }
}

/** Says where to look if the wait for the rollout ended early. */
function interruptionOf({ name, rollout }: DeployResult, account: string): string[] {
  if (rollout?.waitInterrupted !== true) return []
  const path = `/api/v1/agents/${account}/${name}/deployment`
  return [`wait: ended early because a service stops; GET ${path} returns the state of the rollout`]
}

function toEndpointJson({ name, url, type }: ServiceEndpoint) {
  return { name, url, type: nameOf(ServiceEndpointType, type) ?? ('unspecified' as const) }
}

function toResourceJson({ kind, name, namespace, status, message }: ResourceResult) {
  return {
    kind,
    name,
    namespace,
    status: nameOf(ResourceStatus, status) ?? 'failed',
    ...(message === '' ? {} : { message }),
  }
}

function toRolloutJson(
  { state, reason, components, failures }: Rollout,
  deployment: FailedDeployment,
) {
  return {
    state: toStateName(state),
    ...(reason === '' ? {} : { reason }),
    components: components.map((component) => ({
      name: component.name,
      state: toStateName(component.state),
      ...(component.reason === '' ? {} : { reason: component.reason }),
    })),
    ...(failures.length === 0
      ? {}
      : { failures: failures.map((failure) => toFailureJson(failure, deployment)) }),
  }
}

/** The name of a deployment's or component's state. */
export function toStateName(state: DeploymentState): Static<typeof StateName> {
  return nameOf(DeploymentState, state) ?? 'progressing'
}

/** A live deployment in the REST API. The schema of a list drops the pods. */
export function toDeploymentJson(deployment: Deployment) {
  return {
    name: deployment.name,
    state: toStateName(deployment.state),
    ...(deployment.reason === '' ? {} : { reason: deployment.reason }),
    revision: deployment.revision,
    build_id: deployment.buildId,
    ...(deployment.version !== undefined && { version: deployment.version }),
    ...(deployment.sourceAccount === '' ? {} : { source_account: deployment.sourceAccount }),
    k8s_namespace: deployment.k8sNamespace,
    deployed_at: toTimeText(deployment.deployTime),
    deployed_by: deployment.deployedBy,
    components: deployment.components.map(toComponentJson),
    service_endpoints: deployment.serviceEndpoints.map(toEndpointJson),
  }
}

function toComponentJson(component: DeploymentComponent) {
  const { name, kind, state, reason, pods, podCount, readyPodCount } = component
  return {
    name,
    kind: nameOf(ComponentKind, kind) ?? ('unspecified' as const),
    state: toStateName(state),
    ...(reason === '' ? {} : { reason }),
    pod_count: podCount,
    ready_pod_count: readyPodCount,
    pods: pods.map((pod) => ({
      name: pod.name,
      phase: pod.phase,
      ready: pod.ready,
      restarts: pod.restarts,
      ...(pod.reason === '' ? {} : { reason: pod.reason }),
      ...(pod.lastExit && { last_exit: toExitJson(pod.lastExit) }),
      ...(pod.former && { former: true }),
    })),
  }
}

function toExitJson({ reason, exitCode, time }: PodExit) {
  return { reason, exit_code: exitCode, ...(time && { time: toTimeText(time) }) }
}
