import type { FairQueue } from '@slipway/shared/fair-queue'
import type { Logger } from '@slipway/shared/logger'

import type { IngestSettings } from '../../config.ts'
import type { SpanQuota } from '../../quota/span-quota.ts'
import type { DecodedLog, DecodedSpan } from '../decode/decoded-record.ts'
import type { Ingest } from '../pipeline/ingest.ts'
import type { IngestTokens } from './ingest-tokens.ts'

/** The dependencies of the ingest's listeners. */
export interface IngestContext {
  readonly ingest: { readonly traces: Ingest<DecodedSpan>; readonly logs: Ingest<DecodedLog> }
  readonly tokens: IngestTokens
  readonly spanQuota: SpanQuota
  readonly memory: FairQueue
  readonly settings: IngestSettings
  readonly logger: Logger
}

/** A listener of the ingest. */
export interface OtlpListener extends AsyncDisposable {
  /** The host:port that it listens on. */
  readonly address: string
}
