import type { QuerySettings } from './config.ts'
import type { AccessChecker } from './access/membership.ts'
import type { TraceTurns } from './access/trace-turns.ts'
import type { KnownHours } from './query/known-hours.ts'
import type { SpanQuota } from './quota/span-quota.ts'
import type { Retention } from './retention/retention.ts'
import type { TraceStore } from './store/trace-store.ts'

/** The dependencies of the RPC handlers. */
export interface ObservabilityContext {
  readonly store: TraceStore
  readonly knownHours: KnownHours
  readonly traceTurns: TraceTurns
  readonly access: AccessChecker
  readonly spanQuota: SpanQuota
  readonly retention: Retention
  readonly settings: QuerySettings
  /** Milliseconds since 1970. */
  readonly clock: () => number
}
