import type { CurrentAccountLimits } from '@slipway/shared/account-limits'
import type { TokenVerifier } from '@slipway/shared/auth'
import type { Database } from '@slipway/shared/db'
import type { FairQueue } from '@slipway/shared/fair-queue'
import type { MachineTokenVerifier } from '@slipway/shared/machine-tokens'
import type { BuildTemplates, TemplateSettings } from '@slipway/agent-spec'

import type { CatalogLimits } from './config.ts'
import type { CatalogSchema } from './db/tables.ts'
import type { UserInfo } from './user-info.ts'

/** The dependencies of the RPC handlers. */
export interface CatalogContext {
  readonly db: Database<CatalogSchema>
  readonly tokenVerifier: TokenVerifier
  /** The part of `tokenVerifier` for machine tokens. */
  readonly machineTokens: MachineTokenVerifier
  /** What tokens don't say about their users. */
  readonly userInfo: UserInfo
  /** Where calls wait for a connection to the database. */
  readonly calls: FairQueue
  /** Where searches wait for their turn, before they wait in `calls`. */
  readonly searches: FairQueue
  /** Where registrations wait for their spec to be read. */
  readonly specs: FairQueue
  readonly limits: CatalogLimits
  /** The operator's limits of each account. */
  readonly accountLimits: CurrentAccountLimits
  /** The operator's settings for all deployments; the deployer has the same. */
  readonly template: TemplateSettings
  /** The templates of builds, for members and for others. */
  readonly templates: BuildTemplates
  /** Generates a unique, opaque, URL-safe id. */
  readonly randomId: () => string
}
