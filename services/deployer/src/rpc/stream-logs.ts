import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  StreamLogsResponseSchema,
  type StreamLogsRequest,
  type WorkloadService,
} from '@slipway/proto/slipway/deployer/v1/workload_service'
import { NotFound, Violations } from '@slipway/shared/errors'

import { watchAccess } from '../access/access-signal.ts'
import { callOwner } from '../access/call-queues.ts'
import { requireOwnedNamespace } from '../access/owned-namespace.ts'
import { LOG_RANGE } from '../agent-logs/log-range.ts'
import { readLogValues } from '../agent-logs/log-values.ts'
import type { DeployerContext } from '../context.ts'
import { readLog } from '../kubernetes/logs.ts'
import { requirePod, type Pod } from '../kubernetes/pods.ts'
import { redactLog } from '../kubernetes/redact-log.ts'

const MAX_SINCE_SECONDS = LOG_RANGE.mostDays * 24 * 60 * 60

/** Streams the log of a pod's container. */
export function streamLogs(
  context: DeployerContext,
): ServiceImpl<typeof WorkloadService>['streamLogs'] {
  return async function* (request, call) {
    const tailLines = request.tailLines === 0 ? LOG_RANGE.defaultLines : request.tailLines
    const { account, namespace, pod: podName } = request
    new Violations()
      .requireFilled({ account, namespace, pod: podName })
      .requireWithin('tail_lines', tailLines, 1, LOG_RANGE.mostLines)
      .requireWithin('since_seconds', request.sinceSeconds, 0, MAX_SINCE_SECONDS)
      .throwIfAny()
    const deployment = await requireOwnedNamespace(context, call, request, 'forbidden')
    const caller = callOwner(call, deployment.account_id)
    using _slot = context.streams.take(caller)
    const owner = { deploymentId: deployment.id, namespace: deployment.k8s_namespace }
    const pod = await requirePod(context.kubernetes, owner, podName, call.signal)
    using access = watchAccess(context.memberships, call, deployment.account_id)
    const endless = request.follow ? [context.stopping] : []
    const signal = AbortSignal.any([access.signal, ...endless])
    const query = {
      namespace: deployment.k8s_namespace,
      pod: pod.metadata.name,
      container: containerOf(pod, request),
      tailLines,
      follow: request.follow,
      previous: request.previous,
      sinceSeconds: request.sinceSeconds,
      timestamps: request.timestamps,
      limitBytes: context.config.limits.logBytes,
    }
    const values = await readLogValues(context, owner, signal)
    const log = readLog(context.kubernetes, query, signal)
    for await (const data of redactLog(log, { ...query, values })) {
      await context.logRate.wait(caller.user, data.length, signal)
      yield create(StreamLogsResponseSchema, { data })
    }
  }
}

function containerOf(pod: Pod, { container }: StreamLogsRequest): string {
  const names = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].map(({ name }) => name)
  const found = container === '' ? names[0] : names.find((name) => name === container)
  if (found === undefined) {
    throw new NotFound(
      'container_not_found',
      `the pod has no container ${JSON.stringify(container)}`,
    )
  }
  return found
}
