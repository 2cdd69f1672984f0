import { create } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  StreamAgentLogsResponseSchema,
  type LogService,
} from '@slipway/proto/slipway/deployer/v1/agent_logs'
import { NotFound, Violations } from '@slipway/shared/errors'

import { watchAccess } from '../access/access-signal.ts'
import { callOwner } from '../access/call-queues.ts'
import type { LogEntry } from '../agent-logs/log-entry.ts'
import { LOG_RANGE } from '../agent-logs/log-range.ts'
import { readLogValues } from '../agent-logs/log-values.ts'
import { streamAgentLogs as streamEntries } from '../agent-logs/stream.ts'
import type { DeployerContext } from '../context.ts'
import { findDeployment, requireLiveDeployment } from '../db/deployments.ts'
import { listClusterObjects } from '../db/inventory.ts'
import { lastEventSequence } from '../db/outbox-events.ts'
import { WORKLOAD_KINDS } from '../domain/workload-kinds.ts'

const MAX_SINCE_MS = LOG_RANGE.mostDays * 24 * 60 * 60_000
const NANOS_PER_SECOND = 1_000_000_000n

/** Streams the logs of all pods of a deployment, and its events. */
export function streamAgentLogs(
  context: DeployerContext,
): ServiceImpl<typeof LogService>['streamAgentLogs'] {
  return async function* ({ account, name, component, follow, ...request }, call) {
    const { kubernetes: client, db, logger } = context
    const tailLines = request.tailLines === 0 ? LOG_RANGE.defaultLines : request.tailLines
    const since = request.since && timestampDate(request.since)
    const ageMs = since === undefined ? 0 : Date.now() - since.getTime()
    new Violations()
      .requireFilled({ account, name })
      .requireWithin('tail_lines', tailLines, 1, LOG_RANGE.mostLines)
      .require(ageMs <= MAX_SINCE_MS, 'since', `must be within the last ${LOG_RANGE.mostDays} days`)
      .throwIfAny()
    const { accountId } = await context.memberships.require(call, account)
    const { id, k8s_namespace: namespace } = await requireLiveDeployment(db, accountId, name)
    const workloads = (await listClusterObjects(db, id)).filter(({ kind }) =>
      WORKLOAD_KINDS.has(kind),
    )
    if (component !== '' && !workloads.some((each) => each.component === component)) {
      const shown = JSON.stringify(component)
      throw new NotFound('component_not_found', `the deployment has no component ${shown}`)
    }
    const caller = callOwner(call, accountId)
    using share = context.streams.take(caller)
    using access = watchAccess(context.memberships, call, accountId)
    const ended = new AbortController()
    const endless = follow ? [context.stopping] : []
    const signal = AbortSignal.any([access.signal, ended.signal, ...endless])
    if (follow) void endWhenUndeployed(context, id, ended, access.signal)
    const query = {
      deploymentId: id,
      namespace,
      component: component === '' ? undefined : component,
      workloads: new Map(workloads.map((each) => [each.name, each.component])),
      since,
      tailLines,
      follow,
      limitBytes: context.config.limits.logBytes,
    }
    const readValues = (ending: AbortSignal) => readLogValues(context, query, ending)
    const reading = { client, logger, kept: context.keptLogs, readValues, share }
    try {
      for await (const entries of streamEntries(reading, query, signal)) {
        await context.logRate.wait(caller.user, bytesOf(entries), signal)
        yield create(StreamAgentLogsResponseSchema, { entries: entries.map(toEntry) })
      }
    } catch (error) {
      if (!ended.signal.aborted) throw error
    } finally {
      ended.abort()
    }
  }
}

async function endWhenUndeployed(
  { db, eventWaiters }: DeployerContext,
  deploymentId: string,
  ended: AbortController,
  access: AbortSignal,
): Promise<void> {
  const signal = AbortSignal.any([access, ended.signal])
  try {
    while (!signal.aborted) {
      const sequence = await lastEventSequence(db, deploymentId)
      const deployment = await findDeployment(db, deploymentId)
      if (deployment === undefined || deployment.undeploy_time !== null) break
      await eventWaiters.waitForChange(deploymentId, { sequence }, signal)
    }
  } catch {
    // The stream has ended, or ends because the database is unavailable.
  }
  ended.abort()
}

function bytesOf(entries: readonly LogEntry[]): number {
  return entries.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
}

function toEntry({ time, eventReason, ...entry }: LogEntry) {
  const seconds = time / NANOS_PER_SECOND
  return {
    ...entry,
    eventReason,
    time: { seconds, nanos: Number(time - seconds * NANOS_PER_SECOND) },
  }
}
