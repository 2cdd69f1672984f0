import type { Caller } from '../support/catalog-fixture.ts'

/** The routes, as the API document names them. */
export const ROUTES = {
  traces: 'GET /agents/{account}/{name}/observability/traces',
  metrics: 'GET /agents/{account}/{name}/observability/metrics',
  summary: 'GET /agents/{account}/{name}/observability/summary',
  trace: 'GET /agents/{account}/{name}/observability/traces/{trace_id}',
  exports: 'GET /agents/{account}/{name}/observability/traces/export',
  export: 'GET /agents/{account}/{name}/observability/traces/{trace_id}/export',
  sessions: 'GET /agents/{account}/{name}/observability/sessions',
  session: 'GET /agents/{account}/{name}/observability/sessions/{session_id}',
} as const
export type RouteName = keyof typeof ROUTES
export const RANGE_ROUTES = ['traces', 'metrics', 'summary', 'sessions'] as const

/** One request and the expected response. */
export interface ObservabilityCase {
  readonly route: RouteName
  readonly caller: Caller
  readonly status: number
  readonly code?: string
  readonly account?: string
  readonly name?: string
  readonly traceId?: string
  readonly sessionId?: string
  /** As in the URL. */
  readonly query?: string
  /** The field that the problem must name. */
  readonly names?: string
}
