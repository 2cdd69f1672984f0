import { TraceService } from '@slipway/proto/slipway/observability/v1/trace_service'
import { guardService, type AccessRules, type GuardedService, type PolicyDependencies } from '@slipway/shared/rpc'

import type { ObservabilityContext } from '../context.ts'
import { listTraces } from './list-traces.ts'

const ACCESS: AccessRules<typeof TraceService> = {
  listTraces: 'user',
}

/** Observability's RPCs with their policies. */
export function routes(context: ObservabilityContext, dependencies: PolicyDependencies): readonly GuardedService[] {
  return [guardService(TraceService, { listTraces: listTraces(context) }, ACCESS, dependencies)]
}
