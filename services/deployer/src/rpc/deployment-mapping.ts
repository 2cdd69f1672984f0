import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { durationFromMs, timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  ComponentKind,
  type DeploymentPodSchema,
  DeploymentSchema,
  DeploymentState,
  type Deployment,
} from '@slipway/proto/slipway/deployer/v1/deployment'
import {
  RevisionSchema,
  RevisionState,
  type Revision,
} from '@slipway/proto/slipway/deployer/v1/revision'
import { valueOf } from '@slipway/shared/enum-names'

import type { DeploymentView } from '../db/deployment-views.ts'
import type { DeploymentRow } from '../db/deployments.ts'
import type { ListedRevision } from '../db/revision-lists.ts'
import type { PodView } from '../db/tables.ts'
import { toServiceEndpoint } from './deploy-result-mapping.ts'

/** Converts a deployment to its proto message. */
export function toDeployment(
  view: DeploymentView,
  { withPods }: { readonly withPods: boolean },
): Deployment {
  const { deployment, components } = view
  return create(DeploymentSchema, {
    name: deployment.agent,
    state: valueOf(DeploymentState, deployment.state),
    reason: deployment.reason,
    revision: deployment.live_revision ?? 0,
    buildId: view.buildId,
    ...(view.version !== null && { version: view.version }),
    sourceAccount: deployment.source_account,
    k8sNamespace: deployment.k8s_namespace,
    deployTime: timestampFromDate(deployment.deploy_time),
    deployedBy: deployment.deployed_by,
    components: components.map(({ name, kind, state, reason, pods }) => ({
      name,
      kind: valueOf(ComponentKind, kind),
      state: valueOf(DeploymentState, state),
      reason,
      pods: withPods ? pods.map(toPod) : [],
      podCount: pods.length,
      readyPodCount: pods.filter(({ ready }) => ready).length,
    })),
    serviceEndpoints: view.endpoints.map(toServiceEndpoint),
  })
}

function toPod(view: PodView): MessageInitShape<typeof DeploymentPodSchema> {
  const { lastExit, isFormer = false, ...rest } = view
  const pod = { ...rest, former: isFormer }
  if (lastExit === undefined) return pod
  const { time, ...exit } = lastExit
  const ended = time === '' ? {} : { time: timestampFromDate(new Date(time)) }
  return { ...pod, lastExit: { ...exit, ...ended } }
}

/** Converts a revision to its proto message. */
export function toRevision(row: ListedRevision, deployment: DeploymentRow): Revision {
  const isLive = row.revision === deployment.live_revision
  return create(RevisionSchema, {
    revision: row.revision,
    state: valueOf(RevisionState, row.state),
    buildId: row.build_id,
    createTime: timestampFromDate(row.create_time),
    createdBy: row.created_by,
    ...(row.created_by_token_id !== null && {
      createdByToken: { id: row.created_by_token_id, name: row.created_by_token_name ?? '' },
    }),
    errors: [...row.errors],
    // While it is ready, the reason from before is only kept for its next failure.
    reason: row.ready_since === null ? row.reason : '',
    live: isLive,
    restorable: !isLive && row.restorable,
    wasReady: row.was_ready,
    readinessUnknown: !row.records_readiness,
    ...(row.ready_time !== null && {
      readyTime: timestampFromDate(row.ready_time),
      readyDuration: durationFromMs(Number(row.ready_ms)),
    }),
    ...(row.ready_since !== null && { readySinceTime: timestampFromDate(row.ready_since) }),
    ...(row.version !== null && { version: row.version }),
    ...(row.rolled_back_to !== null && { rolledBackTo: row.rolled_back_to }),
  })
}
