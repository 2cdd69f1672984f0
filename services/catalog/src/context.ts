import type { Database } from '@slipway/shared/db'
import type { TemplateSettings } from '@slipway/agent-spec'

import type { CatalogLimits } from './config.ts'
import type { CatalogSchema } from './db/tables.ts'

/** What the handlers of the catalog's RPCs need. */
export interface CatalogContext {
  readonly db: Database<CatalogSchema>
  readonly limits: CatalogLimits
  /** What the operator decided about every deployment; the deployer has the same. */
  readonly template: TemplateSettings
  /** A new id: opaque, URL-safe, never seen before. */
  readonly randomId: () => string
}
