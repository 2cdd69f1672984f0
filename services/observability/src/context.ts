import type { Memberships } from '@slipway/shared/memberships'

import type { QuerySettings } from './config.ts'
import type { TraceTurns } from './access/trace-turns.ts'
import type { TracedAgent } from './domain/traced-agent.ts'
import type { KnownHours } from './query/known-hours.ts'
import type { SpanQuota } from './quota/span-quota.ts'
import type { Retention } from './retention/retention.ts'
import type { TraceStore } from './store/trace-store.ts'

/** The dependencies of the RPC handlers. */
export interface ObservabilityContext {
  readonly store: TraceStore
  readonly knownHours: KnownHours
  readonly traceTurns: TraceTurns
  readonly memberships: Memberships<TracedAgent>
  readonly spanQuota: SpanQuota
  readonly retention: Retention
  readonly settings: QuerySettings
  /** Milliseconds since 1970. */
  readonly clock: () => number
}
