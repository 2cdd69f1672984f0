import { FailedPrecondition, NotFound, Unavailable } from '@slipway/shared/errors'

import { executeAttempt } from '../apply/attempt.ts'
import type { Intent } from '../apply/intent.ts'
import type { DeployerContext } from '../context.ts'
import { requireLiveDeployment } from '../db/deployments.ts'
import type { TokenGrace } from '../db/former-ingest-tokens.ts'
import { findRevision } from '../db/revisions.ts'
import { subjectOf } from '../events/deployment-events.ts'
import { composeStored } from '../plan/compose-stored.ts'
import type { Actor } from './actor.ts'
import { withDeploymentLock, type LockTarget } from './lock.ts'

/** A rotation of an ingest token. */
export interface Rotation {
  readonly rotateTime: Date
  /** Until when the former token is valid at most; undefined if it has ended. */
  readonly formerExpireTime: Date | undefined
}

/**
 * Replaces a deployment's ingest token: composes the live revision without its telemetry Secret,
 * which creates a new one, and applies it. Only the agent's pods refer to that Secret, so only they
 * restart. Former tokens stay valid for `grace` at most.
 */
export async function replaceIngestToken(
  context: DeployerContext,
  target: LockTarget,
  actor: Actor,
  grace: TokenGrace,
): Promise<Rotation> {
  return await withDeploymentLock(context, target, actor, async (lockSignal) => {
    const deployment = await requireLiveDeployment(context.db, target.accountId, target.agent)
    const revision =
      deployment.live_revision === null || deployment.state === 'undeploying'
        ? undefined
        : await findRevision(context.db, deployment.id, deployment.live_revision)
    if (!revision)
      throw new NotFound('deployment_not_found', `agent ${target.agent} is not deployed`)
    const composed = await composeStored(
      context,
      { deployment: { ...deployment, telemetry_secret: null }, revision },
      { number: revision.revision, reason: 'credentials_lost', signal: actor.signal },
    )
    if (composed.newTokenSha256 === undefined) {
      throw new FailedPrecondition(
        'telemetry_disabled',
        `agent ${target.agent} is deployed without telemetry, so it has no ingest token`,
      )
    }
    const intent: Intent = {
      subject: subjectOf(deployment, revision),
      composed,
      newRevision: undefined,
      event: { kind: 'ingest_token_rotated' },
      tokenGrace: grace,
      origin: actor.origin,
      deployedBy: undefined,
    }
    const rotateTime = new Date()
    const { formerExpireTime, errors } = await executeAttempt(context, intent, lockSignal)
    if (errors.length > 0) {
      throw new Unavailable(
        'rotation_incomplete',
        'the new token has not reached the agent; deploy the agent again',
      )
    }
    return { rotateTime, formerExpireTime }
  })
}
