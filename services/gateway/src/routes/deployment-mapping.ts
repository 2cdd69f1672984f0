import type { MessageInitShape } from '@bufbuild/protobuf'
import {
  DeploymentState,
  DeployStatus,
  ResourceStatus,
  type ResourceResult,
  type Rollout,
} from '@slipway/proto/slipway/deployer/v1/deployment'
import type { DeployResponse, DeployTargetSchema } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import type { Static } from 'typebox'

import type { DeployBody } from '../schemas/deployment.ts'
import { toTimeText } from '../time.ts'

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

/** The deploy that a request body asks for. */
export function toDeployTarget(body: Static<typeof DeployBody>): MessageInitShape<typeof DeployTargetSchema> {
  return {
    account: body.account,
    name: body.name,
    sourceAccount: body.source_account ?? '',
    userCredentials: body.user_credentials ?? {},
    ...(body.interfaces === undefined ? {} : { interfaces: { names: body.interfaces } }),
    ...(body.schedules === undefined ? {} : { schedules: { schedules: body.schedules } }),
    overridesJson: body.overrides === undefined ? '' : JSON.stringify(body.overrides),
  }
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
    service_endpoints: response.serviceEndpoints.map(({ name, url, type }) => ({ name, url, type })),
    errors: response.errors,
    ...(response.rollout ? { rollout: toRolloutJson(response.rollout) } : {}),
  }
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
    state: STATE_NAMES[state] ?? 'progressing',
    ...(reason === '' ? {} : { reason }),
    components: components.map((component) => ({
      name: component.name,
      state: STATE_NAMES[component.state] ?? 'progressing',
      ...(component.reason === '' ? {} : { reason: component.reason }),
    })),
  }
}
