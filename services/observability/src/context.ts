import type { QuerySettings } from './config.ts'
import type { AccessChecker } from './access/membership.ts'
import type { TraceStore } from './store/trace-store.ts'

/** What the RPC handlers need. */
export interface ObservabilityContext {
  readonly store: TraceStore
  readonly access: AccessChecker
  readonly settings: QuerySettings
  /** Milliseconds since 1970. */
  readonly clock: () => number
}
