import type { Schemas } from '@slipway/client'

import type { Style } from '../../output/style.ts'

export type Deployment = Schemas['Deployment']
export type DeploymentSummary = Schemas['DeploymentSummary']
export type State = Schemas['DeploymentState']

/** Something that is different from before. */
export interface Change {
  /** When it changed, by the user's clock. */
  readonly time: string
  /** What has changed, like `deployment`, `agent` or `pod/agent-0`. */
  readonly object: string
  readonly text: string
  readonly style?: Style | undefined
}

/** What is known of one deployment. */
export interface OneStatus {
  readonly kind: 'one'
  readonly deployment: Deployment
  /** Its live revision; undefined if it couldn't be read. */
  readonly revision: Schemas['Revision'] | undefined
  /** The members of the account by their ids. */
  readonly names: ReadonlyMap<string, string>
  /** What has changed since the result before; with `--watch`. */
  readonly changes: readonly Change[]
}

/** The deployments of an account. */
export interface AllStatus {
  readonly kind: 'all'
  readonly list: Schemas['DeploymentList']
  /** Those that have changed since the result before. */
  readonly changed: readonly DeploymentSummary[]
  /** The members of the account by their ids; only for JSON. */
  readonly names: ReadonlyMap<string, string> | undefined
}

export type StatusResult = OneStatus | AllStatus
