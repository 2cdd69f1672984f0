import { clone, create } from '@bufbuild/protobuf'
import { durationMs, timestampFromDate } from '@bufbuild/protobuf/wkt'
import { createContextKey, type HandlerContext } from '@connectrpc/connect'
import {
  DeployResultSchema,
  DeployStatus,
  type DeployResult,
} from '@slipway/proto/slipway/deployer/v1/deploy_result'
import type { DeployRequest } from '@slipway/proto/slipway/deployer/v1/deployment_service'
import { Violations } from '@slipway/shared/errors'

import { watchAccess } from '../access/access-signal.ts'
import { callOwner } from '../access/call-queues.ts'
import type { DeployerContext } from '../context.ts'
import { findDeployment } from '../db/deployments.ts'
import type { EventSubject } from '../events/deployment-events.ts'
import type { Explanation } from '../failures/failure-reader.ts'
import type { Deployed } from '../operations/deployed.ts'
import { waitForRollout, type RolloutView } from '../operations/wait-for-rollout.ts'
import { toResourceResult, toRollout, toServiceEndpoint } from './deploy-result-mapping.ts'
import { toFailure, withReasons } from './failure-mapping.ts'

const MAX_WAIT_MS = 300_000

/** Called with the result of a deploy or rollback before the wait for its rollout. */
export const reportAppliedKey = createContextKey<((result: DeployResult) => void) | undefined>(
  undefined,
  { description: 'report of the result before the wait' },
)

/**
 * Returns how long the caller wants to wait for the rollout. Throws InvalidInput above the maximum.
 */
export function readWait({ wait }: Pick<DeployRequest, 'wait'>): number {
  const waitMs = wait === undefined ? 0 : durationMs(wait)
  new Violations().requireWithin('wait', waitMs / 1000, 0, MAX_WAIT_MS / 1000).throwIfAny()
  return waitMs
}

/**
 * Takes a slot for a call that waits for its rollout. Throws RateLimited `too_many_waits`, before
 * the call changes anything.
 */
export function takeWaitSlot(
  { waits }: DeployerContext,
  call: HandlerContext,
  { accountId, waitMs }: { readonly accountId: string; readonly waitMs: number },
): Disposable | undefined {
  return waitMs > 0 ? waits.take(callOwner(call, accountId)) : undefined
}

/** Builds the result of a deploy or rollback, after waiting for the rollout if requested. */
export async function answerDeploy(
  context: DeployerContext,
  call: HandlerContext,
  { accountId, waitMs }: { readonly accountId: string; readonly waitMs: number },
  deployed: Deployed,
): Promise<DeployResult> {
  if (waitMs === 0) return toMessage(deployed)
  using access = watchAccess(context.memberships, call, accountId)
  const report = call.values.get(reportAppliedKey)
  if (report !== undefined) {
    const started = await waitForRollout(context, deployed.subject, 0, access.signal)
    report(toMessage(deployed, { ...started, isInterrupted: true, failures: [], warnings: [] }))
  }
  const ended = await waitForRollout(context, deployed.subject, waitMs, access.signal)
  return toMessage(deployed, await explain(context, call, deployed.subject, ended))
}

function toMessage(
  { subject, result, details }: Deployed,
  rollout?: ExplainedRollout,
): DeployResult {
  const pending =
    rollout === undefined || rollout.state === 'ready' ? [] : rolloutErrors(rollout, result.errors)
  const errors = [...result.errors, ...pending]
  return create(DeployResultSchema, {
    ...details,
    status: errors.length === 0 ? DeployStatus.SUCCESS : DeployStatus.PARTIAL,
    name: subject.agent,
    buildId: subject.buildId,
    k8sNamespace: subject.k8sNamespace,
    deployTime: timestampFromDate(result.deployTime),
    resources: result.resources.map(toResourceResult),
    serviceEndpoints: result.serviceEndpoints.map(toServiceEndpoint),
    errors,
    revision: subject.revision,
    warnings: [...(details.warnings ?? []), ...(rollout?.warnings ?? [])],
    ...(rollout && {
      rollout: { ...toRollout(rollout), failures: rollout.failures.map(toFailure) },
    }),
  })
}

/** The state of a rollout, with the failures that explain it. */
type ExplainedRollout = RolloutView & Explanation

async function explain(
  context: DeployerContext,
  call: HandlerContext,
  { accountId, deploymentId }: EventSubject,
  rollout: RolloutView,
): Promise<ExplainedRollout> {
  const deployment = await findDeployment(context.db, deploymentId)
  if (deployment === undefined) return { ...rollout, failures: [], warnings: [] }
  const owner = callOwner(call, accountId)
  const explanation = await context.failures.read(deployment, rollout.components, owner)
  const { whole, components } = withReasons(rollout, rollout.components, explanation.failures)
  return { ...whole, components, ...explanation }
}

/** The answer to store for retries: log lines and events are never stored. */
export function withoutLogs(result: DeployResult): DeployResult {
  if (result.rollout === undefined) return result
  const stored = clone(DeployResultSchema, result)
  for (const failure of stored.rollout?.failures ?? []) {
    failure.logLines = []
    delete failure.event
  }
  return stored
}

function rolloutErrors(
  { state, reason, components }: RolloutView,
  reported: readonly string[],
): string[] {
  const waiting = components
    .filter((component) => component.state !== 'ready')
    .map(
      (component) =>
        `${component.name}: ${component.reason === '' ? component.state : component.reason}`,
    )
  if (waiting.length > 0) return waiting
  return reported.includes(reason) ? [] : [`rollout: ${reason === '' ? state : reason}`]
}
