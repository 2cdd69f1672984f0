import type {
  ClusterEvent,
  ComponentFailure,
} from '@slipway/proto/slipway/deployer/v1/component_failure'

import { toTimeText } from '../../http/requests/time.ts'

/** The deployment whose failures are shown. */
export interface FailedDeployment {
  readonly account: string
  readonly namespace: string
}

/** The failure of a component in the REST API, with the URL of the whole log. */
export function toFailureJson(failure: ComponentFailure, deployment: FailedDeployment) {
  const { component, pod, container, restarts, exitCode, reason, message, original } = failure
  const { since, logLines, event, next, logSteps } = failure
  const hasLog = logLines.length > 0 || exitCode !== undefined
  return {
    component,
    ...(pod === '' ? {} : { pod }),
    ...(container === '' ? {} : { container, restarts }),
    ...(exitCode === undefined ? {} : { exit_code: exitCode }),
    reason,
    message,
    ...(original === '' ? {} : { original }),
    ...(since === undefined ? {} : { since: toTimeText(since) }),
    ...(logLines.length === 0 ? {} : { log_lines: logLines }),
    ...(hasLog ? { log_url: logUrl(failure, deployment) } : {}),
    ...(event === undefined ? {} : { event: toEventJson(event) }),
    next,
    ...(logSteps.length === 0 ? {} : { log_steps: logSteps }),
  }
}

function toEventJson({ reason, message, count, firstTime, lastTime }: ClusterEvent) {
  return {
    reason,
    message,
    count,
    first_seen: toTimeText(firstTime),
    last_seen: toTimeText(lastTime),
  }
}

function logUrl(
  { pod, container, previousLog }: ComponentFailure,
  { account, namespace }: FailedDeployment,
): string {
  const query = new URLSearchParams({ account, pod, container })
  if (previousLog) query.set('previous', 'true')
  return `/api/v1/deployments/${namespace}/logs?${query.toString()}`
}
