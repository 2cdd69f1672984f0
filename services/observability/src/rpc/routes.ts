import { TraceService } from '@slipway/proto/slipway/observability/v1/trace_service'
import {
  guardService,
  type AccessRules,
  type GuardedService,
  type PolicyDependencies,
} from '@slipway/shared/rpc'

import type { ObservabilityContext } from '../context.ts'
import { exportTrace } from './export-trace.ts'
import { getAccountUsage } from './get-account-usage.ts'
import { getMetrics } from './get-metrics.ts'
import { getSession } from './get-session.ts'
import { getSummary } from './get-summary.ts'
import { getTrace } from './get-trace.ts'
import { listSessions } from './list-sessions.ts'
import { listTraces } from './list-traces.ts'

const ACCESS: AccessRules<typeof TraceService> = {
  listTraces: 'user',
  getMetrics: 'user',
  getSummary: 'user',
  getTrace: 'user',
  listSessions: 'user',
  getSession: 'user',
  exportTrace: 'user',
  getAccountUsage: 'user',
}

/** Returns the service's RPCs with their access rules and policies. */
export function routes(
  context: ObservabilityContext,
  dependencies: PolicyDependencies,
): readonly GuardedService[] {
  const implementation = {
    listTraces: listTraces(context),
    getMetrics: getMetrics(context),
    getSummary: getSummary(context),
    getTrace: getTrace(context),
    listSessions: listSessions(context),
    getSession: getSession(context),
    exportTrace: exportTrace(context),
    getAccountUsage: getAccountUsage(context),
  }
  return [guardService(TraceService, implementation, ACCESS, dependencies)]
}
