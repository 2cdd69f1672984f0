import type { BuildChoice } from '@slipway/proto/slipway/catalog/v1/build_choice'

import type { AttemptResult } from '../apply/attempt.ts'
import type { Intent } from '../apply/intent.ts'
import type { Endpoint } from '../domain/endpoint.ts'
import type { ResourceResult } from '../domain/states.ts'

/** The result of a deploy or a rollback. */
export interface DeployResult {
  readonly deploymentId: string
  readonly agent: string
  readonly buildId: string
  readonly namespace: string
  readonly revision: number
  readonly results: readonly ResourceResult[]
  readonly errors: readonly string[]
  readonly endpoints: readonly Endpoint[]
  /** The images that the components run, by component. */
  readonly images: Readonly<Record<string, string>>
  readonly warnings: readonly string[]
  /** Undefined if the build was not published. */
  readonly version: string | undefined
  readonly choice: BuildChoice
  /** The revision that a rollback restored. */
  readonly rolledBackTo: number | undefined
  /** When the deploy was accepted. */
  readonly deployTime: Date
}

/** Joins an intent and the result of its attempt. */
export function deployResult(
  { subject, composed }: Intent,
  { time, results, errors, endpoints }: AttemptResult,
  details: Pick<DeployResult, 'choice' | 'rolledBackTo' | 'version' | 'warnings'>,
): DeployResult {
  const { deploymentId, agent, buildId, namespace, revision } = subject
  return {
    deploymentId,
    agent,
    buildId,
    namespace,
    revision,
    results,
    errors,
    endpoints,
    images: Object.fromEntries(composed.components.map(({ name, image }) => [name, image])),
    ...details,
    deployTime: time,
  }
}
