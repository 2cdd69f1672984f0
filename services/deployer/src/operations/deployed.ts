import type { MessageInitShape } from '@bufbuild/protobuf'
import type { DeployResultSchema } from '@slipway/proto/slipway/deployer/v1/deploy_result'

import type { AttemptResult } from '../apply/attempt.ts'
import type { Intent } from '../apply/intent.ts'
import type { EventSubject } from '../events/deployment-events.ts'

/** A deploy or a rollback that was executed. Has no credentials: waits for rollouts keep it. */
export interface Deployed {
  readonly subject: EventSubject
  readonly result: Pick<AttemptResult, 'deployTime' | 'errors' | 'resources' | 'serviceEndpoints'>
  /** The other fields of the response. */
  readonly details: MessageInitShape<typeof DeployResultSchema>
}

/** Joins an intent and the result of its attempt. */
export function deployed(
  { subject, composed }: Intent,
  { deployTime, errors, resources, serviceEndpoints }: AttemptResult,
  details: Deployed['details'],
): Deployed {
  const images = Object.fromEntries(composed.components.map(({ name, image }) => [name, image]))
  const result = { deployTime, errors, resources, serviceEndpoints }
  return { subject, result, details: { ...details, images } }
}
